import type { AgentClient } from '../../client/agentClient.ts';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { endedEarly } from '../../model/run/gap.ts';
import { recover } from '../../model/run/recovery.ts';
import { afterError } from '../../model/requests/requestFollowing.ts';
import { runTiming } from '../../model/run/runTiming.ts';
import { soonNamed } from '../../model/run/singleAnswer.ts';
import { RunConnection } from '../../model/run/taskConnection.ts';
import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import type { OperationParams, SendMessageParams, StreamingOperation } from '../../protocol/message/operations.ts';
import { inTerminal, Problem, sentence } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, isTerminal, taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { FollowedTask, type OnState } from './followedTask.ts';
import type { Terminal } from './terminal.ts';
import { exitStatus } from './usage.ts';

/**
 * In milliseconds. Shorter than in the editor, because nobody waits at a terminal for an agent to come back. `linger` is how long a stream may
 * stay open without events after the task's end, `lateAnswer` how long the task is waited for when a stream ended without an answer.
 */
const timing = { ...runTiming, firstPoll: 500, giveUp: 60_000, afterError, linger: 2_000, lateAnswer: 5_000 };

const outcome = (state: TaskState): number =>
  isTerminal(state) && state !== 'TASK_STATE_COMPLETED' ? exitStatus.taskFailed : exitStatus.fine;

/** The person sees why the command goes on. */
export const goesOn = 'The task goes on; it is followed. Ctrl+C ends that.';

/** Prints the agent's answer to one command until the task ends or waits for input. */
export class TaskFollower {
  readonly #terminal: Terminal;
  readonly #client: AgentClient;
  readonly #task: FollowedTask;
  readonly #timing: typeof timing;

  constructor(terminal: Terminal, client: AgentClient, waits: Partial<typeof timing> = {}, onState: OnState = () => {}) {
    this.#timing = { ...timing, ...waits };
    this.#terminal = terminal;
    this.#client = client;
    this.#task = new FollowedTask(terminal.values, onState, terminal.ids);
  }

  /** The task's id, once the agent has sent it. */
  get taskId(): string | undefined {
    return this.#task.id;
  }

  /** The agent's id of the context, once the agent has sent it. */
  get contextId(): string | undefined {
    return this.#task.contextId;
  }

  /** Undefined until the agent has told it. */
  get state(): TaskState | undefined {
    return this.#task.state;
  }

  /** The agent has sent the task or a message. */
  get hasAnswered(): boolean {
    return this.#task.hasAnswered;
  }

  /** Changes of the task so far: the same number means that nothing new was received. */
  get changes(): number {
    return this.#task.changes;
  }

  /** Prints a line about the task, not in the middle of one of the agent's. */
  note(text: string): void {
    this.#task.printer.note(text);
  }

  /** What the progress line says is awaited. */
  get waitsFor(): string {
    const { state } = this.#task;
    return state === undefined ? 'waiting for the agent' : taskStates[state].label;
  }

  /** Ends the current output line. */
  end(): void {
    this.#task.printer.end();
  }

  get #streams(): boolean {
    return this.#client.card.capabilities.streaming === true;
  }

  /** Follows a stream; reconnects where it breaks or ends before the task does. Resolves to the exit status. */
  async stream<O extends StreamingOperation>(operation: O, params: OperationParams[O]): Promise<number> {
    if ('id' in params) this.#task.id = params.id;
    const fault = await this.#listen(operation, params);
    this.#terminal.signal.throwIfAborted();
    if (this.#task.state === undefined ? fault !== undefined : isActive(this.#task.state)) {
      // Without a task there is nothing to reconnect to.
      if (this.#task.id === undefined || (this.#task.state === undefined && !(fault instanceof ConnectionProblem))) throw fault;
      await this.#resume(fault);
    }
    await this.#askForAnswer();
    return this.#exitStatus();
  }

  /** Sends a message; polls the task until it ends or waits for input. */
  async send(params: SendMessageParams): Promise<number> {
    const { result, findings } = await this.#client.call('SendMessage', soonNamed(params), this.#terminal);
    this.#task.findings(findings);
    if (!('task' in result) || !isActive(result.task.status.state)) {
      this.#task.apply([result]);
      return this.#exitStatus();
    }
    const { task } = result;
    this.#task.applyTask(task);
    try {
      return await this.poll(task.id);
    } catch (error) {
      this.#task.printer.end();
      if (!isTaskNotFound(error)) throw error;
      throw new Problem(
        'task-not-kept',
        sentence(
          'The agent answered with a task that is {0} and does not know it any more: {1}',
          taskStates[task.status.state].label,
          error.sentence,
        ),
        {
          nextStep: this.#streams
            ? sentence('What becomes of it may be told in a stream alone: send the message with --stream.')
            : sentence("Its outcome is unknown: look at the agent's own log."),
          details: error.details,
          cause: error,
        },
      );
    }
  }

  /** Polls the task until it ends or waits for input. */
  async poll(taskId: string): Promise<number> {
    this.#task.id = taskId;
    await this.#recover(() => false);
    return this.#exitStatus();
  }

  /** Prints the first answer to a message and does not wait for the task. */
  async sendOnly(params: SendMessageParams): Promise<number> {
    const { result, findings } = await this.#client.call(
      'SendMessage',
      { ...params, configuration: { returnImmediately: true } },
      this.#terminal,
    );
    this.#task.findings(findings);
    this.#task.apply([result]);
    return this.#exitStatus();
  }

  /** Resolves to the error that ended the stream early, if any. */
  async #listen<O extends StreamingOperation>(
    operation: O,
    params: OperationParams[O],
    signal: AbortSignal = this.#terminal.signal,
  ): Promise<unknown> {
    const { log } = this.#terminal;
    const enough = new AbortController();
    let linger: NodeJS.Timeout | undefined;
    let fault: Problem | undefined;
    const silence = setTimeout(
      () =>
        void this.#checkTask().then(
          () => {
            if (this.#task.isOver) enough.abort();
            else silence.refresh();
          },
          (error: unknown) => {
            fault = error as Problem;
            enough.abort();
          },
        ),
      this.#timing.silence,
    );
    const heard = (bytes?: number): void => {
      silence.refresh();
      log.received?.(bytes);
    };
    try {
      for await (const { events, findings } of this.#client.stream(operation, params, {
        signal: AbortSignal.any([signal, enough.signal]),
        log: { ...log, received: heard },
      })) {
        this.#task.apply(events, true);
        this.#task.findings(findings);
        clearTimeout(linger);
        if (this.#task.isOver) linger = setTimeout(() => enough.abort(), this.#timing.linger);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return enough.signal.aborted && !signal.aborted ? fault : error;
    } finally {
      clearTimeout(silence);
      clearTimeout(linger);
    }
  }

  /** A stream is silent: requests the task on another connection. Rejects with a `Problem` where the agent cannot be reached. */
  async #checkTask(): Promise<void> {
    if (this.#task.id === undefined) return;
    try {
      const task = await this.#ask(this.#task.id);
      if (!isActive(task.status.state)) this.#task.applyTask(task);
    } catch (error) {
      // An A2A error is an answer: the agent is reachable.
      if (!(error instanceof A2AError)) throw error;
    }
  }

  /**
   * The stream is gone, and the task is not over. Where the agent itself ended it with an error, that is the answer, unless the task ends shortly
   * afterwards; else the task is followed. Rejects with a `Problem`.
   */
  async #resume(fault: unknown): Promise<void> {
    if (fault instanceof A2AError) return this.#awaitEndAfter(fault);
    this.#task.printer.note(inTerminal(fault instanceof Problem ? fault.sentence : endedEarly));
    let isTold = false;
    try {
      await this.#recover(() => {
        if (!isTold) this.#task.printer.note(goesOn);
        isTold = true;
        return this.#streams;
      });
    } catch (error) {
      if (!(error instanceof A2AError) || this.#task.state === undefined) throw error;
      throw new Problem('stream-ended', sentence('The stream ended while the task was still {0}.', taskStates[this.#task.state].label), {
        nextStep: isTaskNotFound(error) ? undefined : sentence('Follow it with: a2a task subscribe'),
        details: error.message,
        cause: error,
      });
    }
  }

  async #awaitEndAfter(fault: A2AError): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#timing.afterError);
    let unknown: Problem | undefined;
    try {
      await this.#recover(() => this.#streams, AbortSignal.any([this.#terminal.signal, late.signal]));
    } catch (error) {
      // What the agent says when it is asked about the task is no better answer than its first error.
      if (!(error instanceof Problem)) throw error;
      if (isTaskNotFound(error)) unknown = error;
    } finally {
      clearTimeout(timer);
    }
    if (this.#task.state !== undefined && !isActive(this.#task.state)) {
      this.#task.printer.note(inTerminal(fault.sentence));
      return;
    }
    fault.advise(
      unknown === undefined
        ? sentence('The task may go on at the agent: follow it with a2a task subscribe.')
        : sentence('Asked about the task, it said: {0}', unknown.sentence),
    );
    throw fault;
  }

  async #recover(streams: () => boolean, signal: AbortSignal = this.#terminal.signal): Promise<void> {
    const id = this.#task.id ?? '';
    let lost = '';
    const connection = new RunConnection(this.#timing.quiet, () => {
      const { state } = connection;
      const reason = state.kind === 'lost' && state.retryAt !== undefined ? inTerminal(state.reason) : '';
      if (reason !== '' && reason !== lost) this.#task.printer.note(`${reason} Trying again.`);
      lost = reason === '' ? lost : reason;
    });
    try {
      await recover({
        ask: async () => {
          this.#task.applyTask(await this.#ask(id, { signal }));
          connection.heard();
        },
        subscribe: () => this.#listen('SubscribeToTask', { id }, signal),
        streams,
        isOver: () => this.#task.state !== undefined && !isActive(this.#task.state),
        signal,
        awake: () => neverAwake,
        timing: this.#timing,
        connection,
      });
    } finally {
      connection.dispose();
    }
    this.#terminal.signal.throwIfAborted();
  }

  async #ask(id: string, limits: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}): Promise<Task> {
    const { result, findings } = await this.#client.call('GetTask', { id }, { ...this.#terminal, ...limits });
    this.#task.findings(findings);
    return result;
  }

  /** An agent that streamed no answer may have it in the task's history. */
  async #askForAnswer(): Promise<void> {
    if (this.#task.id === undefined || this.#task.state === undefined || this.#task.printer.hasPrinted || this.#terminal.values.raw) return;
    try {
      this.#task.applyTask(await this.#ask(this.#task.id, { timeoutMs: this.#timing.lateAnswer }));
    } catch (error) {
      // A failed request does not change the task's outcome.
      if (!(error instanceof Problem)) throw error;
      if (!isTaskNotFound(error)) this.#task.printer.note(error.message);
    }
  }

  #exitStatus(): number {
    this.#task.printer.end();
    if (this.#task.state === 'TASK_STATE_AUTH_REQUIRED' && !this.#terminal.values.json && !this.#terminal.values.raw) {
      this.#task.printer.note('The task waits for authorization. Give it as the agent says, then follow the task with: a2a task subscribe');
    }
    return this.#task.state === undefined ? exitStatus.fine : outcome(this.#task.state);
  }
}

/** Never aborted: unlike the editor, a command need not resume as soon as the machine wakes from sleep. */
const neverAwake = new AbortController().signal;
