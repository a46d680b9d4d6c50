import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import { Problem } from '../../protocol/problem.ts';
import { isTerminal, ShownState } from '../../protocol/message/taskState.ts';
import type { TaskSummary } from '../../protocol/message/transcript.ts';
import type { AgentContexts } from './agentContexts.ts';
import type { Agent } from '../agents/agent.ts';
import type { Agents } from '../agents/agents.ts';
import type { Disposable } from '../emitter.ts';
import { saysUnsupported } from '../unsupported.ts';

interface ForgottenTasksOptions {
  readonly agents: Agents;
  readonly contexts: Pick<AgentContexts, 'get' | 'history'>;
  /** Longest time of one check of an agent's tasks, in milliseconds. */
  readonly longest?: number;
  readonly onError: (error: unknown) => void;
}

/** Most tasks of an agent that are asked for, the newest, and how many at a time. */
const maxTasks = 50;
const atOnce = 4;

const unfinished = ShownState.options.filter(state => !isTerminal(state));

/**
 * Finds unfinished tasks that an agent has lost, as after a restart: requests each (GetTask, A2A 1.0 §3.1.3), and marks unknown ones as
 * lost. Other problems are ignored, since they do not concern the tasks.
 */
export class ForgottenTasks implements Disposable {
  readonly #options: ForgottenTasksOptions;
  readonly #under = new Map<string, Promise<void>>();
  /** Names of agents that were unreachable, restarted or not in the list, and have not been reached since. */
  readonly #away = new Set<string>();
  readonly #closed = new AbortController();
  readonly #listeners: readonly Disposable[];
  #names: ReadonlySet<string>;

  constructor(options: ForgottenTasksOptions) {
    this.#options = options;
    this.#names = this.#listed();
    this.#listeners = [
      options.agents.onDidChange(agent => {
        if (agent === undefined) this.#compare();
        else this.#changed(agent);
      }),
      // It may be back before it was seen to be away.
      options.agents.onDidRestart(agent => {
        this.#away.add(agent.name);
        this.#changed(agent);
      }),
    ];
  }

  /** Requests the tasks of this agent that have no listener. Resolves when that is done, or after 30 s. Never rejects. */
  look(name: string): Promise<void> {
    const under =
      this.#under.get(name) ??
      this.#look(name)
        .catch(this.#options.onError)
        .finally(() => this.#under.delete(name));
    this.#under.set(name, under);
    return under;
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#closed.abort();
  }

  #changed({ name, reachability }: Pick<Agent, 'name' | 'reachability'>): void {
    if (reachability === 'unreachable') this.#away.add(name);
    else if (reachability === 'reachable' && this.#away.delete(name)) void this.look(name);
  }

  #listed(): ReadonlySet<string> {
    return new Set(this.#options.agents.all.map(({ name }) => name));
  }

  #compare(): void {
    const names = this.#listed();
    for (const name of names) if (!this.#names.has(name)) this.#away.add(name);
    this.#names = names;
  }

  async #look(name: string): Promise<void> {
    const { contexts, longest = 30_000 } = this.#options;
    const enough = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, enough.signal, AbortSignal.timeout(longest)]);
    const [first, ...others] = contexts.history.tasks({ agent: name, states: unfinished, limit: maxTasks });
    // The answer for the first task shows whether the others are worth asking for.
    if (first === undefined || !(await this.#isWorthMore(first, signal))) return;
    const left = others.values();
    const work = async (): Promise<void> => {
      for (const task of left) if (!signal.aborted && !(await this.#isWorthMore(task, signal))) enough.abort();
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  /** Asks for one task. False if the agent would answer the same for any other. */
  async #isWorthMore({ context: key, taskId }: TaskSummary, signal: AbortSignal): Promise<boolean> {
    const context = this.#options.contexts.get(key);
    if (context === undefined || context.isActiveFor({ taskId }) || context.connectionOf(taskId)?.kind === 'elsewhere') return true;
    try {
      await context.checkTask(taskId, signal);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return isTaskNotFound(error) || (error instanceof A2AError && !saysUnsupported(error));
    }
  }
}
