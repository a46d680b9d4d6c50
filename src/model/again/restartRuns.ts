import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { compareRuns, isEqual } from '../../recording/compare/comparison.ts';
import type { Agent } from '../agents/agent.ts';
import type { Agents } from '../agents/agents.ts';
import type { AgentContext } from '../contexts/agentContext.ts';
import type { AgentContexts } from '../contexts/agentContexts.ts';
import { requirePasswords } from '../contexts/passwords.ts';
import { type Disposable, Emitter, type Event } from '../emitter.ts';
import { newRun } from './newRun.ts';
import { storedRun } from './storedRun.ts';

/** A conversation that is run again whenever its agent is back, by the key of its context. */
export interface RestartSeries {
  readonly context: string;
  /** Its last runs, oldest first. */
  readonly runs: readonly KeptRun[];
}

interface KeptRun {
  readonly context: string;
  /** How many messages were sent in it. */
  readonly messages: number;
}

/** Most runs in a row that may end because the agent is gone: an agent that a message breaks, and that starts by itself, would go on for ever. */
const maxBroken = 5;

/** Runs of a series that are kept: the last, and the one that it is compared with. */
const maxRuns = 2;

/** How a run went, compared with the one before it. */
export interface RestartReport {
  readonly original: AgentContext;
  /** The run before, or the original. */
  readonly before: AgentContext;
  readonly context: AgentContext;
  /** Index of the first row of their comparison that is not equal. */
  readonly differs: number | undefined;
}

interface RestartRunsNeeds {
  readonly agents: Pick<Agents, 'all' | 'onDidChange' | 'onDidRestart'>;
  readonly contexts: AgentContexts;
  readonly kept: { get(): readonly RestartSeries[]; set(series: readonly RestartSeries[]): void };
  /** Title of the next run of a conversation. */
  readonly titleOf: (original: AgentContext) => string;
  /** Somebody looks at the context. */
  readonly isOpen: (key: string) => boolean;
  readonly onRun: (report: RestartReport) => void;
  /** The series is over: the agent was gone in each of its last five runs. */
  readonly onGivenUp: (original: AgentContext) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs conversations again, each time their agent answers after it could not be reached. A series keeps the original and its last two runs:
 * an older one is deleted for good, so that Undo stays with what the person deletes, unless it is pinned, open, or they have written in it.
 */
export class RestartRuns implements Disposable {
  readonly #needs: RestartRunsNeeds;
  readonly #changed: Emitter<void>;
  readonly #listeners: readonly Disposable[];
  /** Names of agents that could not be reached. */
  readonly #away = new Set<string>();
  /** Names of agents whose conversations run now; true if the agent was away once more meanwhile. */
  readonly #underWay = new Map<string, boolean>();
  readonly #stop = new AbortController();
  /** By context: how many of its last runs in a row ended because the agent was gone. */
  readonly #broken = new Map<string, number>();

  constructor(needs: RestartRunsNeeds) {
    this.#needs = needs;
    this.#changed = new Emitter(needs.onError);
    for (const agent of needs.agents.all) this.#look(agent);
    this.#listeners = [
      needs.agents.onDidChange(agent => {
        if (agent !== undefined) this.#look(agent);
      }),
      // It may be back before it was seen to be away.
      needs.agents.onDidRestart(agent => {
        this.#away.add(agent.name);
        this.#look(agent);
      }),
    ];
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  isOn(key: string): boolean {
    return this.#needs.kept.get().some(({ context }) => context === key);
  }

  /** An agent by that name has a conversation that waits for its return. */
  watches(name: string): boolean {
    return this.#seriesOf(name).length > 0;
  }

  /** Begins or ends a series. Returns whether it is on now. Throws a `Problem` `password-not-kept`, and those of `storedRun`. */
  toggle(context: AgentContext): boolean {
    const { kept } = this.#needs;
    const others = kept.get().filter(series => series.context !== context.key);
    const starts = others.length === kept.get().length;
    if (starts) for (const { said } of storedRun(context).turns) requirePasswords(said.parts);
    this.#broken.delete(context.key);
    kept.set(starts ? [...others, { context: context.key, runs: [] }] : others);
    this.#changed.fire();
    return starts;
  }

  dispose(): void {
    this.#stop.abort();
    for (const listener of this.#listeners) listener.dispose();
    this.#changed.dispose();
  }

  #seriesOf(name: string): readonly RestartSeries[] {
    const { kept, contexts } = this.#needs;
    return kept.get().filter(({ context }) => contexts.get(context)?.agentName === name);
  }

  #look({ name, reachability }: Pick<Agent, 'name' | 'reachability'>): void {
    if (reachability === 'unreachable') this.#away.add(name);
    if (reachability !== 'reachable' || !this.#away.delete(name) || !this.watches(name)) return;
    if (this.#underWay.has(name)) this.#underWay.set(name, true);
    else
      this.#runAll(name).catch((error: unknown) => {
        // The history closes with the window.
        if (!this.#stop.signal.aborted) this.#needs.onError(error);
      });
  }

  async #runAll(name: string): Promise<void> {
    try {
      do {
        this.#underWay.set(name, false);
        for (const series of this.#seriesOf(name)) if (this.isOn(series.context)) await this.#run(series);
      } while (this.#underWay.get(name) === true && !this.#stop.signal.aborted);
    } finally {
      this.#underWay.delete(name);
    }
  }

  async #run({ context: key, runs }: RestartSeries): Promise<void> {
    const { contexts, titleOf, kept, onRun, onGivenUp, onError } = this.#needs;
    const original = contexts.get(key);
    if (original === undefined || this.#stop.signal.aborted) return;
    const { turns } = storedRun(original);
    const run = await newRun({
      contexts,
      agent: original.agentName,
      title: titleOf(original),
      turns,
      signal: this.#stop.signal,
      attended: false,
      onError,
    });
    const { context } = run;
    if (this.#stop.signal.aborted) return;
    const isBroken = run.turns.at(-1)?.outcome.problem instanceof ConnectionProblem;
    const broken = isBroken ? (this.#broken.get(key) ?? 0) + 1 : 0;
    this.#broken.set(key, broken);
    if (broken === maxBroken && this.isOn(key)) {
      this.toggle(original);
      onGivenUp(original);
    }
    if (context === undefined) return;
    const last = runs.at(-1);
    const before = (last && contexts.get(last.context)) ?? original;
    const now = storedRun(context);
    const differs = compareRuns([storedRun(before), now]).findIndex(row => !isEqual(row, 1));
    const all = [...runs, { context: context.key, messages: now.turns.length }];
    for (const older of all.slice(0, -maxRuns)) await this.#discard(older);
    kept.set(kept.get().map(series => (series.context === key ? { context: key, runs: all.slice(-maxRuns) } : series)));
    onRun({ original, before, context, differs: differs === -1 ? undefined : differs });
  }

  async #discard({ context: key, messages }: KeptRun): Promise<void> {
    const { contexts, isOpen } = this.#needs;
    const context = contexts.get(key);
    if (context === undefined || isOpen(key) || context.pinned || storedRun(context).turns.length > messages) return;
    await contexts.patiently(() => contexts.delete(key));
  }
}
