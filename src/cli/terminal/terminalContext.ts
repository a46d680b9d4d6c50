import type { AgentClient } from '../../client/agentClient.ts';
import { MemoryContext } from '../../model/memory/memoryContext.ts';
import type { Disposable } from '../../model/emitter.ts';
import { withKeptAnswer } from '../../model/requests/requestAnswer.ts';
import { followRun } from '../../model/requests/requestFollowing.ts';
import { RequestLimit, noSignsOfLife } from '../../model/requests/requestLimit.ts';
import type { RequestOutcome } from '../../model/requests/requestOutcome.ts';
import type { unknownWaits } from '../../model/requests/unknownState.ts';
import { historyLength } from '../../model/run/agentStream.ts';
import type { Run } from '../../model/run/run.ts';
import type { RunAgent, RunClient } from '../../model/run/runScope.ts';
import { inBoth } from '../../client/wireLog/wireLog.ts';
import { runTiming, type RunTiming } from '../../model/run/runTiming.ts';
import type { SendOptions } from '../../model/run/sendOptions.ts';
import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isActive, isTerminal, taskStates } from '../../protocol/message/taskState.ts';
import { inTerminal, Problem, sentence } from '../../protocol/problem.ts';
import { answerOf } from '../../request/expect/observed.ts';
import { parseMilliseconds } from './milliseconds.ts';
import { Printer } from './printer.ts';
import { connect, type Terminal } from './terminal.ts';
import { exitStatus, taskCommand } from './usage.ts';

/** Timing in milliseconds. Shorter than in the editor: a person at a terminal does not wait long for an agent to come back. */
export const terminalTiming = { giveUp: 60_000 };

/** The way to end a command that follows its task without a stream. */
export const endFollowing = 'Ctrl+C ends that.';

/** Maximum size of what one task sends, in bytes: all of it is kept in memory. */
const maxTaskBytes = 64 * 2 ** 20;

/** Time limit for the final GetTask of a task that is followed no further, in milliseconds. */
const askMs = 5_000;

interface TerminalContextOptions {
  /** The agent's id of a context that goes on. */
  readonly contextId?: string | undefined;
  /** The printer of the context before, which has printed part of the answer. */
  readonly printer?: Printer;
  readonly timing?: Partial<RunTiming>;
  readonly unknownWaits?: typeof unknownWaits;
}

/**
 * Connects to an agent and works in a context there, at most as long as `--timeout`; without it, as long as the agent sends something
 * (`RequestLimit`). Rejects with a `Problem`, such as `time-limit`; the agent's work then goes on.
 */
export async function inTerminalContext(
  terminal: Terminal,
  url: string,
  work: (context: TerminalContext, limit: RequestLimit) => Promise<number>,
  options: TerminalContextOptions = {},
): Promise<number> {
  const limit = limitOf(terminal);
  const { progress } = terminal.output;
  progress.start(() => 'connecting');
  let context: TerminalContext | undefined;
  try {
    const signal = AbortSignal.any([terminal.signal, limit.signal]);
    const client = await limit.within(connect({ ...terminal, signal }, url), noSignsOfLife);
    context = new TerminalContext(terminal, client, { contextId: terminal.values.context, ...options });
    return await work(context, limit);
  } finally {
    context?.dispose();
    progress.stop();
  }
}

/** The time limit of `--timeout`. @throws UsageError */
const limitOf = ({ values }: Terminal): RequestLimit =>
  new RequestLimit(values.timeout === undefined ? undefined : parseMilliseconds(values.timeout));

/** One context with an agent for as long as a command runs: what it sends and follows (by `Run`, over a journal in memory) is printed. */
export class TerminalContext implements Disposable {
  readonly client: AgentClient;
  readonly printer: Printer;
  readonly #terminal: Terminal;
  readonly #context: MemoryContext;
  readonly #unknownWaits: typeof unknownWaits | undefined;
  #run: Run | undefined;

  constructor(terminal: Terminal, client: AgentClient, { contextId, printer, timing, unknownWaits: waits }: TerminalContextOptions = {}) {
    this.#terminal = terminal;
    this.client = client;
    this.printer = printer ?? new Printer(terminal);
    this.#unknownWaits = waits;
    const observed = terminal.values.json === true ? withEvents(client, event => this.printer.event(event)) : client;
    const agent: RunAgent = {
      card: client.card,
      answerTimeoutMs: terminal.agent?.settings.answerTimeoutMs,
      prepare: async () => {},
      connect: async () => observed,
    };
    this.#context = new MemoryContext({
      key: client.card.name,
      agentName: client.card.name,
      contextId,
      timing: { ...runTiming, ...terminalTiming, ...timing },
      maxTaskBytes: () => maxTaskBytes,
      agent: () => agent,
      log: terminal.recordings === undefined ? terminal.log : inBoth(terminal.log, terminal.recordings.ofCommand),
      holderOf: () => this.#context,
      onTask() {},
      onContextId() {},
      onChanges: changes => {
        const own = new Set(changes.flatMap(change => (change.kind === 'finding' ? [change.finding] : [])));
        this.printer.findings(this.#run?.findings.filter(finding => !own.has(finding)));
        this.printer.changes(changes);
      },
      onLostStream: (_taskId, status) => this.printer.note(`${inTerminal(status)} ${endFollowing}`),
      onError: error => {
        throw error;
      },
    });
  }

  /** The agent's id of the context, once it is known. */
  get contextId(): string | undefined {
    return this.#context.contextId;
  }

  /** The run that is followed, or was last. */
  get run(): Pick<Run, 'taskId' | 'state' | 'result'> | undefined {
    return this.#run;
  }

  /** The agent no longer has the task that was followed last. */
  get isLost(): boolean {
    const taskId = this.#run?.taskId;
    return taskId !== undefined && this.#context.isLost(taskId);
  }

  get #streams(): boolean {
    return this.client.card.capabilities.streaming === true;
  }

  /**
   * Sends a message and prints the answer until the task is over or waits. Resolves to the exit status. Rejects with a `Problem`, or with the
   * reason of `signal`.
   */
  send(options: SendOptions, { limit, signal }: { readonly limit?: RequestLimit; readonly signal?: AbortSignal } = {}): Promise<number> {
    const streaming = options.streaming === true && this.#streams;
    this.printer.nextTurn();
    return this.#follow(() => this.#context.send({ ...options, streaming }), { limit, signal, streams: streaming });
  }

  /** Follows a task until it is over or waits; asks for it again and again where the agent does not stream. */
  subscribe(taskId: string, limit?: RequestLimit): Promise<number> {
    return this.#follow(() => this.#context.subscribeTask(taskId), { limit, streams: false });
  }

  /** Asks the agent to cancel the task that is followed. Resolves to why it goes on, if it does. */
  async stop(): Promise<Problem | undefined> {
    await this.#run?.stop();
    return this.#run?.refusal;
  }

  /** Stops listening; cancels nothing. */
  dispose(): void {
    this.#context.dispose();
  }

  async #follow(
    begin: () => Run,
    options: { readonly limit?: RequestLimit | undefined; readonly signal?: AbortSignal | undefined; readonly streams: boolean },
  ): Promise<number> {
    const { limit = limitOf(this.#terminal), signal = this.#terminal.signal, streams } = options;
    const { output } = this.#terminal;
    const { printer } = this;
    const run = begin();
    this.#run = run;
    const leave = (): void => run.detach();
    signal.addEventListener('abort', leave, { once: true });
    output.progress.start(() => (run.state === undefined ? 'waiting for the agent' : taskStates[run.state].label));
    try {
      const onDidChange = (): void => printer.findings(run.findings);
      const came = await followRun(run, { context: this.#context, limit, onDidChange, unknownWaits: this.#unknownWaits });
      const isLate = came.problem !== undefined && came.problem === limit.problem;
      const outcome = isLate
        ? await this.#lastWord(came, came.problem)
        : streams && this.#terminal.values.raw !== true
          ? await this.#keptAnswer(came, signal)
          : came;
      printer.findings(outcome.findings?.filter(({ message }) => message !== outcome.problem?.message));
      printer.answer(outcome);
      signal.throwIfAborted();
      return this.#statusOf(outcome);
    } finally {
      signal.removeEventListener('abort', leave);
      printer.end();
      output.progress.stop();
    }
  }

  /** An agent that streamed no answer may have it in the task's history. */
  #keptAnswer(outcome: RequestOutcome, signal: AbortSignal): Promise<RequestOutcome> | RequestOutcome {
    const { artifacts, words } = answerOf(outcome);
    if (artifacts.length > 0 || words.length > 0) return outcome;
    return withKeptAnswer(outcome, this.#context, { signal: AbortSignal.any([signal, AbortSignal.timeout(askMs)]), wanted: undefined });
  }

  /** The time is up: the agent is asked once how the task stands, which may be over without a word on the stream. */
  async #lastWord(outcome: RequestOutcome, problem: Problem): Promise<RequestOutcome> {
    const taskId = this.#run?.taskId;
    if (taskId === undefined) {
      problem.advise(sentence("Look at the agent's own log, or give it more time with --timeout."));
      return outcome;
    }
    try {
      const { result: task, findings = [] } = await this.#context.call(
        'GetTask',
        { id: taskId, historyLength },
        AbortSignal.timeout(askMs),
      );
      const asked = { ...outcome, task, findings: [...(outcome.findings ?? []), ...findings] };
      if (!isActive(task.status.state)) return { ...asked, problem: undefined };
      problem.advise(
        sentence('The task continues at the agent. Follow it with {0}, or give it more time with --timeout.', this.#following(taskId)),
      );
      return asked;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.advise(
        isTaskNotFound(error)
          ? sentence('Asked about the task, the agent answered: {0}', error.sentence)
          : sentence('The task may continue at the agent. Follow it with {0}', this.#following(taskId)),
      );
      return outcome;
    }
  }

  /** The command that follows a task. */
  #following(taskId = 'ID'): string {
    return taskCommand('subscribe', this.#terminal.typedAgent, taskId);
  }

  /** @throws Problem where the task has no end that counts */
  #statusOf({ task, problem }: RequestOutcome): number {
    const state = task?.status.state;
    if (problem !== undefined) {
      const isAnswer = problem instanceof A2AError || problem.code === 'http-error' || problem.code === 'stream-error';
      if (!isAnswer || state === undefined || isTaskNotFound(problem)) throw problem;
      if (isActive(state)) {
        problem.advise(
          this.isLost
            ? sentence('The agent answered that it does not have the task.')
            : sentence('The task may continue at the agent. Follow it with {0}', this.#following(task?.id)),
        );
        throw problem;
      }
      // The agent ended the stream with an error, and the task soon afterwards.
      this.printer.note(inTerminal(problem.sentence));
    }
    const { json, raw } = this.#terminal.values;
    if (state === 'TASK_STATE_AUTH_REQUIRED' && json !== true && raw !== true)
      this.printer.note(
        `The task waits for authorization. Give it as the agent says, then follow the task with: ${this.#following(task?.id)}`,
      );
    return state !== undefined && isTerminal(state) && state !== 'TASK_STATE_COMPLETED' ? exitStatus.taskFailed : exitStatus.fine;
  }
}

/** The client, with each event passed to `onEvent` as it is read. */
export const withEvents = (client: AgentClient, onEvent: (event: StreamResponse) => void): RunClient => ({
  card: client.card,
  extendedCard: options => client.extendedCard(options),
  sendRaw: (body, options) => client.sendRaw(body, options),
  call: async (operation, params, options) => {
    const answer = await client.call(operation, params, options);
    const { result } = answer;
    if ('status' in result) onEvent({ task: result });
    else if ('task' in result || 'message' in result) onEvent(result);
    return answer;
  },
  async *stream(operation, params, options) {
    for await (const batch of client.stream(operation, params, options)) {
      batch.events.forEach(onEvent);
      yield batch;
    }
  },
});
