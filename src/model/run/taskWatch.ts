import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import { foreignStateIn } from '../../protocol/finding.ts';
import type { Task, TaskStatus } from '../../protocol/message/task.ts';
import { isActive, isInterrupted, isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import { Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import { AgentStream, type Batch, type ListenOptions } from './agentStream.ts';
import { silentStream, wentSilent } from './gap.ts';
import { MessageDelivery } from './messageDelivery.ts';
import { Progress } from './progress.ts';
import { PhaseMachine } from './runPhase.ts';
import { needsListener, type FoundTask, type RunScope, type Sending } from './runScope.ts';
import { RunConnection } from './taskConnection.ts';
import { TaskLog } from './taskLog.ts';
import { UpdateBatcher } from './updateBatcher.ts';

/** Callbacks of a watch into its run. */
interface WatchEvents {
  /** Something that is shown may have changed. */
  readonly onAdvance: () => void;
  /** No more of the task is kept. */
  readonly onFull: () => void;
  /** Another process follows the task. */
  readonly onDisowned: () => void;
  /** The history could not be written, or a defect. */
  readonly onFailure: (error: unknown) => void;
}

/** The responses to one run, and what is written of them: its phase, its stream, and the state of its task. */
export class TaskWatch {
  readonly scope: RunScope;
  /** Undefined if a task is only followed, like `delivery`. */
  readonly sending: Sending | undefined;
  readonly delivery: MessageDelivery | undefined;
  readonly phase: PhaseMachine;
  readonly updates: UpdateBatcher;
  readonly stream: AgentStream;
  readonly connection: RunConnection;
  readonly log: TaskLog;
  readonly #events: WatchEvents;
  readonly #progress = new Progress();
  /** The task's status when the message was sent: an agent that repeats it has not answered yet. */
  readonly #statusBefore: TaskStatus | undefined;
  /** A snapshot came while a stream was open: the stream may repeat what the snapshot had already. */
  #doubtful = false;
  /** The task ended under another id in its stream. */
  #endedAs = false;
  #hasEnded = false;
  #isReading = false;
  /** The agent cannot report the task's state. */
  #unknown = false;

  constructor(scope: RunScope, taskId: string | undefined, sending: Sending | undefined, events: WatchEvents) {
    this.scope = scope;
    this.sending = sending;
    this.#events = events;
    this.delivery = sending && new MessageDelivery(sending, scope.journal);
    this.phase = new PhaseMachine(sending === undefined ? 'recovering' : 'sending', error => scope.onError(error));
    this.connection = new RunConnection(scope.timing.quiet, () => {
      if (!this.phase.isOver) scope.onDidChange();
    });
    this.log = new TaskLog({ journal: scope.journal, taskId: () => this.taskId, most: scope.maxTaskBytes, onFull: events.onFull });
    this.stream = new AgentStream(scope.agent, this.log, scope.wanted, () => this.connection.received());
    this.updates = new UpdateBatcher({
      journal: scope.journal,
      load: id => {
        const folded = scope.load(id);
        if (sending !== undefined) {
          folded.addKnownMessage(sending.kept);
          if (id === sending.message.taskId) folded.beginTurn(sending.kept);
        }
        return folded;
      },
      taskId,
      answers: sending?.seq,
      batch: scope.timing.batch,
      onWritten: () => this.advance(),
      onDisowned: events.onDisowned,
      onFailure: events.onFailure,
    });
    this.#statusBefore = sending === undefined ? undefined : this.updates.reducer.task?.status;
  }

  get taskId(): string | undefined {
    return this.updates.reducer.task?.id;
  }

  /** The agent's id of the task. */
  get #agentTaskId(): string {
    const taskId = this.updates.reducer.agentId;
    if (taskId === undefined) throw new Error('a run without its task');
    return taskId;
  }

  /** The state that the agent sent last. */
  get state(): TaskState | undefined {
    return this.updates.reducer.task?.state;
  }

  /** The agent's name of that state, where A2A has none of that name. */
  get foreignState(): string | undefined {
    return this.state === 'TASK_STATE_UNSPECIFIED' ? foreignStateIn(this.updates.observations.findings) : undefined;
  }

  /** The agent may still send something about the task without another message. */
  get unfinished(): boolean {
    return this.state !== undefined && needsListener(this.state);
  }

  /** Events of a stream still have to be confirmed by a snapshot. */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  /** An answer is read that has not said how the task ended, even where another call has. */
  get awaitsEnd(): boolean {
    return this.#isReading && this.updates.reducer.task?.endedByStream !== true;
  }

  /** The agent itself has ended the newest answer that was read: nothing more comes over it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** False once it is the client's turn: the task is over or waits, or the agent answered with a message, or it failed. */
  get running(): boolean {
    if (this.phase.isOver) return false;
    // An answer is reported only after it is written.
    if (this.updates.hasWaitingWrites) return true;
    // Until the message has arrived, a task that waits is still waiting for it.
    if (this.delivery !== undefined && !this.updates.answered) return true;
    const status = this.updates.reducer.task?.status;
    return status === undefined || isActive(status.state) || (status === this.#statusBefore && this.delivery?.responseRead !== true);
  }

  /** The agent has named the task. */
  get isNamed(): boolean {
    return this.taskId !== undefined && (this.sending === undefined || this.updates.answered);
  }

  /** The task waits for the client, or for credentials from elsewhere. */
  get asks(): boolean {
    return this.state !== undefined && isInterrupted(this.state);
  }

  /** Something changed: waiting callers check their condition again. */
  advance(): void {
    this.#progress.advance();
    this.#events.onAdvance();
  }

  /** Resolves when the condition holds, when the run is over, or after so many milliseconds. */
  until(isSo: () => boolean, longest: number): Promise<void> {
    return this.#progress.until(() => isSo() || this.phase.isOver, longest);
  }

  /** Reads an answer for as long as that is useful. Resolves to the `Problem` that ended it early, if any. */
  async listen(open: (options: ListenOptions) => AsyncIterable<Batch>): Promise<Problem | undefined> {
    const { stream, updates, phase, scope, connection } = this;
    this.#hasEnded = false;
    this.#isReading = true;
    const fault = await stream.listen(open, {
      take: (batch, first) => {
        phase.move('answer begun');
        if (first) this.advance();
        if (batch.events.length > 0) connection.open();
        this.keep(() => updates.take(batch, first));
        return phase.listens;
      },
      whenReady: () => scope.journal.written,
      idleTimeout: () => this.#idleTimeout(),
      silence: scope.timing.silence,
      keptAlive: scope.agent.answerTimeoutMs ?? scope.timing.keptAlive,
      onSilence: () => this.#checkSilence(),
    });
    this.#hasEnded = fault === undefined;
    this.#isReading = false;
    // A stop that waits for the end goes on; the run is not over before what follows.
    this.#progress.advance();
    const { ending } = updates.reducer;
    if ((fault === undefined || fault instanceof ConnectionProblem) && ending !== undefined && phase.listens)
      await this.#adoptEnding(ending);
    return fault;
  }

  /**
   * The stream said under another id that the task ended. A failure counts, unless the agent then reports another end of the task. Any other
   * end counts only if the agent does not know the task: a task that the agent began for this one may well end before this one does.
   */
  async #adoptEnding(ending: Task): Promise<void> {
    if (this.unfinished) await this.confirm();
    if (!this.unfinished || !this.phase.listens || !(this.#unknown || ending.status.state === 'TASK_STATE_FAILED')) return;
    this.#endedAs = true;
    this.keep(() => this.updates.endAs(ending));
  }

  /** No answer is open any more, and the task is not over. */
  lose(): void {
    this.phase.move('ended early');
    this.advance();
  }

  /** SubscribeToTask; resolves as `listen` does. */
  async subscribe(): Promise<Problem | undefined> {
    const fault = await this.listen(options => this.#subscription(options));
    if (this.unfinished) this.lose();
    else this.advance();
    return fault;
  }

  /** GetTask; applies the answer and returns true if it was news. `listening`: a stream is open meanwhile. Rejects with a `Problem`. */
  async ask(gap?: LocalizedMessage, listening?: boolean, until?: AbortSignal): Promise<boolean> {
    if (listening !== true) this.phase.move('asking');
    // Otherwise each attempt would wait for the ones before.
    await this.scope.journal.written;
    return this.#mergeAnswer(await this.stream.ask(this.#agentTaskId, until), gap, listening);
  }

  /** The same, also after listening has ended. */
  async askAfterClose(timeoutMs: number): Promise<void> {
    this.#mergeAnswer(await this.stream.askAfterClose(this.#agentTaskId, timeoutMs));
  }

  #mergeAnswer({ task, exchangeId, findings }: FoundTask, gap?: LocalizedMessage, listening?: boolean): boolean {
    this.#unknown = false;
    // An agent that reported the end under another id does not know about it under this one.
    if (this.phase.isOver || (this.#endedAs && isActive(task.status.state))) return false;
    let isNew = false;
    this.keep(() => {
      this.updates.observations.take([], findings);
      isNew = this.updates.merge(task, exchangeId, { gap, listening });
      this.delivery?.find(task);
    });
    return isNew;
  }

  /**
   * Finds out whether the agent has the task that its answer, a message, names: if so, the task is taken in; if not, the message was all.
   * Returns false if there is nothing to follow.
   */
  async adoptNamed(taskId: string): Promise<boolean> {
    const { stream, updates, scope, phase } = this;
    const known = updates.reducer.task?.isKnown === true;
    phase.move('asking');
    try {
      const { task, exchangeId, findings } = await stream.ask(taskId);
      updates.observations.take([], findings);
      if (!phase.isOver) this.keep(() => (known ? void updates.merge(task, exchangeId) : updates.adopt(task, exchangeId)));
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!known) return false;
      if (!isTaskNotFound(error)) return true;
      this.keep(() => void scope.journal.loseTask(taskId, stream.lastExchange));
      return false;
    }
  }

  /** Asks although nothing says that anything is missing: if the agent cannot be asked, the task it sent still counts. */
  async confirm(): Promise<void> {
    try {
      await this.ask();
    } catch (error) {
      // The agent's other answer is in the exchange.
      if (!(error instanceof Problem)) throw error;
      this.#unknown = error instanceof A2AError;
    }
  }

  /** Takes in the task from the answer to another call. */
  merge(task: Task, exchangeId: string, polled = true): void {
    this.#doubtful = true;
    this.keep(() => this.updates.merge(task, exchangeId, { polled }));
  }

  /** Writes to the history; if that fails, the run ends. */
  keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#events.onFailure(error);
    }
  }

  async *#subscription(options: ListenOptions): AsyncGenerator<Batch> {
    const client = await this.stream.connect();
    this.updates.reducer.task?.joinMidway();
    yield* client.stream('SubscribeToTask', { id: this.#agentTaskId }, options);
  }

  /** A connection can be dead without an error; another connection shows it. Resolves to whether the agent has said how the task stands. */
  async #checkSilence(): Promise<boolean> {
    // What stands at a breakpoint answers nothing else, and streams on when it is let go.
    if (!this.isNamed || this.scope.agent.isDebugged === true) return false;
    try {
      const isNew = await this.ask(wentSilent, true);
      this.#doubtful = true;
      if (isNew && this.unfinished) throw silentStream();
      return true;
    } catch (error) {
      // An agent that answers with an error is there; that it cannot be asked about a task does not mean that the agent has abandoned it.
      if (error instanceof ConnectionProblem || !(error instanceof Problem)) throw error;
      this.#unknown = error instanceof A2AError;
      return false;
    }
  }

  /** How long an open answer is still read while nothing arrives; undefined: without a limit. */
  #idleTimeout(): number | undefined {
    const { linger, lingerMessage, attend } = this.scope.timing;
    const { state } = this;
    const { ending } = this.updates.reducer;
    if (ending !== undefined && (this.#unknown || ending.status.state === 'TASK_STATE_FAILED')) return linger;
    if (state === undefined) return this.updates.reducer.message === undefined ? undefined : lingerMessage;
    if (isTerminal(state)) return linger;
    return isActive(state) ? undefined : attend;
  }
}
