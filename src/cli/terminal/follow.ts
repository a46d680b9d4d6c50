import type { AgentClient } from '../../client/agentClient.ts';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { endedEarly } from '../../model/run/gap.ts';
import { recover } from '../../model/run/recovery.ts';
import { runTiming } from '../../model/run/runTiming.ts';
import { soonNamed } from '../../model/run/singleAnswer.ts';
import { RunConnection } from '../../model/run/taskConnection.ts';
import { foreignStateIn, toldOf } from '../../model/requests/unknownState.ts';
import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { OperationParams, SendMessageParams, StreamingOperation } from '../../protocol/message/operations.ts';
import { inTerminal, Problem, sentence } from '../../protocol/problem.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, isTerminal, taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { Printer } from './printer.ts';
import type { Terminal } from './terminal.ts';
import { exitStatus } from './usage.ts';

/** Shorter than in the editor, because nobody waits at a terminal for an agent to come back. In milliseconds. */
const timing = { ...runTiming, firstPoll: 500, giveUp: 60_000 };

const outcome = (state: TaskState): number =>
  isTerminal(state) && state !== 'TASK_STATE_COMPLETED' ? exitStatus.taskFailed : exitStatus.fine;

/** How long a stream may stay open without events after the task's end, in milliseconds. */
const lingerMs = 2_000;

/** Maximum time to wait for the task when a stream ended without an answer, in milliseconds. */
const answerMs = 5_000;

/** Prints the agent's answer to one command until the task ends or waits for input. */
export class TaskFollower {
  readonly #terminal: Terminal;
  readonly #client: AgentClient;
  readonly #printer: Printer;
  readonly #timing: typeof timing;
  readonly #onState: (state: TaskState | undefined, name: string | undefined) => void;
  #taskId: string | undefined;
  #state: TaskState | undefined;
  /** The state as the agent spells it, where it is not an A2A state. */
  #foreign: string | undefined;
  /** Counts changes of the task. */
  #changes = 0;
  #lastTask = '';
  #lastStatus = '';
  /** JSON of the last polled task. */
  #polledTask = '';
  /** The answer is a message, not a task. */
  #answered = false;

  /** @param onState called with each state of the task, and with the agent's spelling where it is not an A2A state. */
  constructor(
    terminal: Terminal,
    client: AgentClient,
    waits = timing,
    onState: (state: TaskState | undefined, name: string | undefined) => void = () => {},
  ) {
    this.#timing = waits;
    this.#onState = onState;
    this.#terminal = terminal;
    this.#client = client;
    this.#printer = new Printer(terminal);
  }

  /** The task's id, once the agent has sent it. */
  get taskId(): string | undefined {
    return this.#taskId;
  }

  /** The agent has sent the task or a message. */
  get hasAnswered(): boolean {
    return this.#taskId !== undefined || this.#printer.hasPrinted;
  }

  /** Changes of the task so far: the same number means that nothing new was received. */
  get changes(): number {
    return this.#changes;
  }

  /** What the progress line says is awaited. */
  get waitsFor(): string {
    return this.#state === undefined ? 'waiting for the agent' : taskStates[this.#state].label;
  }

  /** Ends the current output line. */
  end(): void {
    this.#printer.end();
  }

  get #streams(): boolean {
    return this.#client.card.capabilities.streaming === true;
  }

  /** Follows a stream; reconnects where it breaks or ends before the task does. Resolves to the exit status. */
  async stream<O extends StreamingOperation>(operation: O, params: OperationParams[O]): Promise<number> {
    if ('id' in params) this.#taskId = params.id;
    const fault = await this.#listen(operation, params);
    this.#terminal.signal.throwIfAborted();
    if (this.#state === undefined ? fault !== undefined : isActive(this.#state)) {
      // Without a task there is nothing to reconnect to.
      if (this.#taskId === undefined || (this.#state === undefined && !(fault instanceof ConnectionProblem))) throw fault;
      await this.#resume(fault);
    }
    await this.#askForAnswer();
    return this.#exitStatus();
  }

  /** Sends a message; polls the task until it ends or waits for input. */
  async send(params: SendMessageParams): Promise<number> {
    const { result, findings } = await this.#client.call('SendMessage', soonNamed(params), this.#terminal);
    this.#printFindings(findings);
    if (!('task' in result) || !isActive(result.task.status.state)) {
      this.#apply([result]);
      return this.#exitStatus();
    }
    const { task } = result;
    this.#applyTask(task);
    try {
      return await this.poll(task.id);
    } catch (error) {
      this.#printer.end();
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
    this.#taskId = taskId;
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
    this.#printFindings(findings);
    this.#apply([result]);
    return this.#exitStatus();
  }

  #apply(events: readonly StreamResponse[], inStream = false): void {
    for (const event of events) {
      if (inStream && this.#comesAfterEnd(event)) continue;
      this.#printer.show(event);
      if ('message' in event) this.#answered = true;
      if ('task' in event) [this.#taskId, this.#state] = [event.task.id, event.task.status.state];
      if ('statusUpdate' in event) [this.#taskId, this.#state] = [event.statusUpdate.taskId, event.statusUpdate.status.state];
      if ('artifactUpdate' in event) this.#taskId ??= event.artifactUpdate.taskId;
      this.#count(event);
      if (this.#state !== 'TASK_STATE_UNSPECIFIED') this.#foreign = undefined;
      this.#onState(this.#state, this.#foreign);
    }
  }

  #count(event: StreamResponse): void {
    if ('task' in event) {
      const told = toldOf(event.task);
      if (told === this.#lastTask) return;
      this.#lastTask = told;
    } else if ('statusUpdate' in event) {
      const { state, message } = event.statusUpdate.status;
      const told = JSON.stringify([state, message?.parts]);
      if (told === this.#lastStatus) return;
      this.#lastStatus = told;
    }
    this.#changes++;
  }

  #printFindings(findings: readonly Finding[]): void {
    this.#printer.findings(findings);
    const name = foreignStateIn(findings);
    if (name === undefined) return;
    this.#foreign = name;
    this.#onState(this.#state, name);
  }

  /** A task that has ended does not change (A2A 1.0 §3.1.2): a different later state is printed and ignored. */
  #comesAfterEnd(event: StreamResponse): boolean {
    const told =
      'task' in event
        ? { id: event.task.id, ...event.task.status }
        : 'statusUpdate' in event
          ? { id: event.statusUpdate.taskId, ...event.statusUpdate.status }
          : undefined;
    if (
      told === undefined ||
      this.#state === undefined ||
      !isTerminal(this.#state) ||
      told.id !== this.#taskId ||
      told.state === this.#state
    )
      return false;
    const message = `The task was ${taskStates[this.#state].label} and is told as ${taskStates[told.state].label}; that was not applied.`;
    this.#printer.findings([{ rule: isTerminal(told.state) ? 'STRM-11' : 'STRM-03', pointer: '', message }]);
    if (this.#terminal.values.json) this.#printer.show(event);
    return true;
  }

  /** Resolves to the error that ended the stream early, if any. */
  async #listen<O extends StreamingOperation>(operation: O, params: OperationParams[O]): Promise<unknown> {
    const { signal, log } = this.#terminal;
    const enough = new AbortController();
    let linger: NodeJS.Timeout | undefined;
    let fault: Problem | undefined;
    const silence = setTimeout(
      () =>
        void this.#checkTask().then(
          () => {
            if (this.#isOver) enough.abort();
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
        this.#apply(events, true);
        this.#printFindings(findings);
        clearTimeout(linger);
        if (this.#isOver) linger = setTimeout(() => enough.abort(), lingerMs);
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

  /** No more events are expected. */
  get #isOver(): boolean {
    return this.#state === undefined ? this.#answered : isTerminal(this.#state);
  }

  /** A stream is silent: requests the task on another connection. Rejects with a `Problem` where the agent cannot be reached. */
  async #checkTask(): Promise<void> {
    if (this.#taskId === undefined) return;
    try {
      const task = await this.#ask(this.#taskId);
      if (!isActive(task.status.state)) this.#applyTask(task);
    } catch (error) {
      // An A2A error is an answer: the agent is reachable.
      if (!(error instanceof A2AError)) throw error;
    }
  }

  async #resume(fault: unknown): Promise<void> {
    // An error in the middle of a stream says nothing about the task: its outcome is still polled.
    this.#printer.note(inTerminal(fault instanceof Problem ? fault.sentence : endedEarly));
    try {
      await this.#recover(() => this.#streams);
    } catch (error) {
      if (!(error instanceof A2AError) || this.#state === undefined) throw error;
      throw new Problem('stream-ended', sentence('The stream ended while the task was still {0}.', taskStates[this.#state].label), {
        nextStep: isTaskNotFound(error) ? undefined : sentence('Follow it with: a2a task subscribe'),
        details: error.message,
        cause: error,
      });
    }
  }

  async #recover(streams: () => boolean): Promise<void> {
    const { signal } = this.#terminal;
    const id = this.#taskId ?? '';
    let lost = '';
    const connection = new RunConnection(this.#timing.quiet, () => {
      const { state } = connection;
      const reason = state.kind === 'lost' && state.retryAt !== undefined ? inTerminal(state.reason) : '';
      if (reason !== '' && reason !== lost) this.#printer.note(`${reason} Trying again.`);
      lost = reason === '' ? lost : reason;
    });
    try {
      await recover({
        ask: async () => {
          this.#applyTask(await this.#ask(id));
          connection.heard();
        },
        subscribe: () => this.#listen('SubscribeToTask', { id }),
        streams,
        isOver: () => this.#state !== undefined && !isActive(this.#state),
        signal,
        awake: () => neverAwake,
        timing: this.#timing,
        connection,
      });
    } finally {
      connection.dispose();
    }
    signal.throwIfAborted();
  }

  async #ask(id: string, timeoutMs?: number): Promise<Task> {
    const { result, findings } = await this.#client.call('GetTask', { id }, { ...this.#terminal, timeoutMs });
    this.#printFindings(findings);
    return result;
  }

  /** Prints a task unless it is unchanged. */
  #applyTask(task: Task): void {
    const now = JSON.stringify(task);
    if (now !== this.#polledTask) this.#apply([{ task }]);
    this.#polledTask = now;
  }

  /** An agent that streamed no answer may have it in the task's history. */
  async #askForAnswer(): Promise<void> {
    if (this.#taskId === undefined || this.#state === undefined || this.#printer.hasPrinted || this.#terminal.values.raw) return;
    try {
      this.#applyTask(await this.#ask(this.#taskId, answerMs));
    } catch (error) {
      // A failed request does not change the task's outcome.
      if (!(error instanceof Problem)) throw error;
      if (!isTaskNotFound(error)) this.#printer.note(error.message);
    }
  }

  #exitStatus(): number {
    this.#printer.end();
    if (this.#state === 'TASK_STATE_AUTH_REQUIRED' && !this.#terminal.values.json && !this.#terminal.values.raw) {
      this.#printer.note('The task waits for authorization. Give it as the agent says, then follow the task with: a2a task subscribe');
    }
    return this.#state === undefined ? exitStatus.fine : outcome(this.#state);
  }
}

/** Never aborted: unlike the editor, a command need not resume as soon as the machine wakes from sleep. */
const neverAwake = new AbortController().signal;
