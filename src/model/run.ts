import { ConnectionProblem } from '../client/connectionProblem.ts';
import type { Message } from '../protocol/message.ts';
import type { SendMessageParams } from '../protocol/operations.ts';
import { Problem, sentence, type Sentence } from '../protocol/problem.ts';
import type { Task, TaskStatus } from '../protocol/task.ts';
import { isActive, isTerminal, type TaskState } from '../protocol/taskState.ts';
import type { WantedInterface } from '../protocol/wantedInterface.ts';
import type { Delivery } from '../protocol/transcript.ts';
import type { Agent } from './agent.ts';
import type { StopOutcome } from './cancellation.ts';
import { deliveryAfter } from './deliveryAfter.ts';
import type { FoldedTask } from './foldedTask.ts';
import { gapOf, silentStream, wentSilent } from './gap.ts';
import type { Journal } from './journal.ts';
import { Listening, type Batch, type ListenOptions } from './listening.ts';
import { Progress } from './progress.ts';
import { Reception } from './reception.ts';
import { recover } from './recovery.ts';
import { stopRun } from './runStop.ts';
import type { RunTiming } from './runTiming.ts';
import type { RunResult } from './sendOptions.ts';
import { singleAnswer } from './singleAnswer.ts';

/** What a run needs of the context it belongs to. */
export interface RunScope {
  readonly agent: Agent;
  /** What is spoken instead of what the agent's settings or its card say. */
  readonly wanted: WantedInterface | undefined;
  readonly journal: Journal;
  readonly timing: RunTiming;
  /** The task as far as the history knows it. */
  readonly load: (taskId: string) => FoldedTask;
  /** This process follows the task no longer; with `again`, another may pick it up. */
  readonly release: (taskId: string, again: boolean) => void;
  /** `running`, `stopping`, `over` or the task's state changed. */
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** What is sent: the message, written down already, and how. */
export interface Sending {
  readonly seq: number;
  readonly message: Message;
  /** As the agent's card says where it is left out. */
  readonly streaming?: boolean;
  readonly params: Omit<SendMessageParams, 'message'>;
  /** The agent worked on the task when the message was sent, so somebody must go on listening should it be refused. */
  readonly takesOver: boolean;
}

/** Why a run stopped listening by itself. */
type Closing = 'stopped' | 'detached' | 'superseded' | 'disowned' | 'failed';

const cancelTimeoutMs = 30_000;

/**
 * One send under way, or one unfinished task that is followed. The message is in the history before anything is sent, and what the
 * agent answers is in the history before anybody is told. Nothing is ever sent twice.
 */
export class Run {
  /** The entry of the message that was sent; undefined where a task is followed only. */
  readonly seq: number | undefined;
  readonly messageId: string | undefined;
  /** Resolves when it is the client's turn again. Never rejects: what went wrong is in `problem`. */
  readonly done: Promise<RunResult>;
  readonly #scope: RunScope;
  readonly #reception: Reception;
  readonly #listening: Listening;
  readonly #resolveDone: (result: RunResult) => void;
  readonly #ended: Promise<void>;
  readonly #startedAt = Date.now();
  /** The task's status when the message was sent: an agent that repeats it has not answered yet. */
  readonly #statusBefore: TaskStatus | undefined;
  /** The answer to the send was read to its end. */
  #heardOut = false;
  /** A snapshot came while a stream was open: what it held already may have come a second time. */
  #doubtful = false;
  #closing: Closing | undefined;
  #delivery: Delivery = 'sending';
  #problem: Problem | undefined;
  #over = false;
  #resolved = false;
  #stop: Promise<StopOutcome> | undefined;
  #stopping = false;
  #shown = '';
  readonly #progress = new Progress();

  private constructor(scope: RunScope, taskId: string | undefined, sending: Sending | undefined) {
    this.#scope = scope;
    this.seq = sending?.seq;
    this.messageId = sending?.message.messageId;
    this.#listening = new Listening(scope.agent, scope.journal.log, scope.wanted);
    this.#reception = new Reception({
      journal: scope.journal,
      load: id => {
        const folded = scope.load(id);
        if (sending !== undefined) {
          folded.know(sending.message);
          if (id === sending.message.taskId) folded.expectRefusal();
        }
        return folded;
      },
      taskId,
      answers: sending?.seq,
      batch: scope.timing.batch,
      onWritten: () => this.#advance(),
      onDisowned: () => this.#close('disowned'),
      onFailure: error => this.#fail(error),
    });
    this.#statusBefore = sending === undefined ? undefined : this.#reception.fold.task?.status;
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.done = promise;
    this.#resolveDone = resolve;
    this.#ended = this.#main(sending);
  }

  /** Sends a message; `message.taskId` says which task it continues. */
  static send(scope: RunScope, sending: Sending): Run {
    return new Run(scope, sending.message.taskId, sending);
  }

  /** Follows a task that nobody listens to any more. */
  static follow(scope: RunScope, taskId: string): Run {
    return new Run(scope, taskId, undefined);
  }

  /** Resolves when nothing is listened for any more and everything is written. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get taskId(): string | undefined {
    return this.#reception.fold.task?.id;
  }

  /** The task's state as it was told last. */
  get state(): TaskState | undefined {
    return this.#reception.fold.task?.state;
  }

  /** False once it is the client's turn: the task is over or waits, or the agent answered with a message, or it failed. */
  get running(): boolean {
    if (this.#over) return false;
    // Until the message has arrived, a task that waits is still waiting for it.
    if (this.seq !== undefined && !this.#reception.answered) return true;
    const status = this.#reception.fold.task?.status;
    return status === undefined || isActive(status.state) || (status === this.#statusBefore && !this.#heardOut);
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Neither running nor listening. */
  get over(): boolean {
    return this.#over;
  }

  /** Takes in the task as another call has brought it: all that is said of a task goes through the run that listens to it. */
  merge(task: Task, exchangeId: string): void {
    if (this.#over) return;
    this.#doubtful = true;
    this.#keep(() => this.#reception.merge(task, exchangeId));
  }

  /** Asks the agent to cancel, then stops listening. */
  stop(): Promise<StopOutcome> {
    this.#stop ??= this.#cancel().finally(() => {
      this.#stopping = false;
      this.#advance();
    });
    return this.#stop;
  }

  /** Stops listening, at once, and leaves the task to whoever comes next. Cancels nothing. */
  detach(): void {
    this.#close('detached');
    this.#finish();
  }

  /** Stops listening, at once, because another run listens to the same task from now on. */
  supersede(): void {
    this.#close('superseded');
    this.#finish();
  }

  async #main(sending: Sending | undefined): Promise<void> {
    try {
      // What is listened for must be able to say so before anything is heard.
      await Promise.resolve();
      if (sending === undefined) await this.#follow(sentence('Nobody listened here while the agent worked, so some of what it said may be missing.'));
      else await this.#send(sending);
    } catch (error) {
      this.#endWith(error);
    }
    this.#finish();
  }

  async #send({ seq, message, streaming, params, takesOver }: Sending): Promise<void> {
    let fault: unknown;
    let streams = false;
    try {
      const client = await this.#listening.connect();
      const body = { ...params, message };
      streams = streaming ?? client.card.capabilities.streaming === true;
      fault = await this.#listen(streams
        ? options => client.stream('SendStreamingMessage', body, options)
        : options => singleAnswer(client, body, options));
    } catch (error) {
      fault = error;
    }
    this.#heardOut = true;
    this.#keep(() => this.#settleDelivery(seq, fault));
    if (this.#closing !== undefined) return;
    const recovers = this.#canRecover(takesOver);
    const cut = fault instanceof ConnectionProblem && this.#reception.answered ? fault : undefined;
    if (fault !== undefined && (cut === undefined || !(recovers || this.#toldAll()))) this.#endWith(fault);
    const { task } = this.#reception.fold;
    if (recovers) {
      const gap = gapOf(cut);
      if (cut !== undefined && gap !== undefined) this.#keep(() => this.#gap(gap));
      // Without a stream nothing can be missed: the task is asked for until it is over.
      if (streams || takesOver) await this.#follow(gap);
      else await this.#follow(undefined, false);
    } else if (task?.leftOut === true || (task !== undefined && this.#doubtful)) {
      await this.#ask();
    } else if (task?.doubtful === true) await this.#confirm();
  }

  /** The agent has said all that the client waits for, so that nothing is lost with the connection. */
  #toldAll(): boolean {
    const { state } = this;
    return state === undefined ? this.#reception.fold.message !== undefined : !isActive(state);
  }

  /** There is a task to ask about, and a reason to. */
  #canRecover(takesOver: boolean): boolean {
    const { state } = this;
    if (state === undefined || this.#closing !== undefined) return false;
    if (this.#reception.answered || takesOver) return needsListener(state);
    // The message went into a task that we know, and nobody knows whether it got there.
    return this.#delivery !== 'refused';
  }

  /** Listens again to a task whose stream is gone, or was never here; `gap` is what to say where something was missed; `subscribes`: unless it may not. */
  async #follow(gap: Sentence | undefined, subscribes?: false): Promise<void> {
    const { timing } = this.#scope;
    let missed = gap;
    const patience = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const subscription = (options: ListenOptions): AsyncIterable<Batch> => this.#subscription(options);
    await recover({
      ask: async () => {
        await this.#ask(missed);
        missed = undefined;
        // Who can be authorised elsewhere (A2A 1.0 §7.6.1) goes on without another message; that is not waited for without end.
        if (this.state === 'TASK_STATE_AUTH_REQUIRED') timer ??= setTimeout(() => patience.abort(), timing.giveUp).unref();
      },
      subscribe: async () => {
        const fault = await this.#listen(subscription);
        const stillNeeded = this.state !== undefined && needsListener(this.state);
        if (stillNeeded && (fault === undefined || fault instanceof ConnectionProblem)) missed = gapOf(fault);
        return fault;
      },
      // In a window that has just begun, nothing is known of the agent before it was asked.
      streams: () => subscribes ?? this.#scope.agent.card?.capabilities.streaming === true,
      isOver: () => this.state !== undefined && !needsListener(this.state),
      signal: AbortSignal.any([this.#listening.signal, patience.signal]),
      timing,
    }).finally(() => clearTimeout(timer));
  }

  async* #subscription(options: ListenOptions): AsyncGenerator<Batch> {
    const client = await this.#listening.connect();
    this.#reception.fold.task?.joinMidway();
    yield* client.stream('SubscribeToTask', { id: this.#knownTask() }, options);
  }

  /** Asks where nothing says that anything is missing: an agent that cannot be asked has told the task all the same. */
  async #confirm(): Promise<void> {
    try {
      await this.#ask();
    } catch (error) {
      // What it answers instead is in the exchange.
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Folds in the task as it is now; true where that was news. `listening`: a stream is open meanwhile. Rejects with a `Problem`. */
  async #ask(gap?: Sentence, listening?: boolean): Promise<boolean> {
    const { task, exchangeId } = await this.#listening.ask(this.#knownTask());
    if (this.#over) return false;
    let isNew = false;
    this.#keep(() => {
      isNew = this.#reception.merge(task, exchangeId, gap, listening);
      if (this.seq !== undefined && this.#delivery === 'unknown' && task.history?.some(message => message.messageId === this.messageId)) {
        this.#delivery = 'sent';
        this.#scope.journal.delivery(this.seq, 'sent');
      }
    });
    return isNew;
  }

  #knownTask(): string {
    const { taskId } = this;
    if (taskId === undefined) throw new Error('a run without its task');
    return taskId;
  }

  #listen(open: (options: ListenOptions) => AsyncIterable<Batch>): Promise<Problem | undefined> {
    return this.#listening.listen(open, {
      take: (batch, first) => {
        this.#keep(() => this.#reception.take(batch, first));
        return this.#closing === undefined;
      },
      worthWaiting: () => this.#worthWaiting(),
      silence: this.#scope.timing.silence,
      onSilence: async () => {
        // A connection can be dead without anybody saying so; another one tells.
        if (!this.#isTold()) return;
        try {
          const isNew = await this.#ask(wentSilent, true);
          this.#doubtful = true;
          if (isNew && this.state !== undefined && needsListener(this.state)) throw silentStream();
        } catch (error) {
          // Whoever answers an error is there; that an agent cannot be asked about a task does not mean that it has left it.
          if (error instanceof ConnectionProblem || !(error instanceof Problem)) throw error;
        }
      },
    });
  }

  /** How long an open answer is still read when nothing comes; undefined: as long as it takes. */
  #worthWaiting(): number | undefined {
    const { linger, lingerMessage, attend } = this.#scope.timing;
    const { state } = this;
    if (state === undefined) return this.#reception.fold.message === undefined ? undefined : lingerMessage;
    if (isTerminal(state)) return linger;
    return isActive(state) ? undefined : attend;
  }

  /** How far the message got, by how its exchange ended. */
  #settleDelivery(seq: number, fault: unknown): void {
    const { answered } = this.#reception;
    this.#delivery = answered ? 'sent' : deliveryAfter(fault);
    if (fault instanceof ConnectionProblem && fault.code !== 'cancelled' && fault.reached !== 'yes') this.#scope.agent.lost(fault);
    // A process that is going away leaves the message as it is: the next one knows that nobody knows.
    if (!answered && !this.#over) this.#scope.journal.delivery(seq, this.#delivery, this.#listening.lastExchange);
  }

  async #cancel(): Promise<StopOutcome> {
    if (!this.running) return 'over';
    this.#stopping = true;
    this.#advance();
    try {
      return await stopRun({
        timing: this.#scope.timing,
        running: () => this.running,
        taskId: () => this.taskId,
        state: () => this.state,
        isTold: () => this.#isTold(),
        hasBegun: () => this.#listening.exchangeIds.length > 0,
        cancel: async taskId => {
          const { task, exchangeId } = await this.#listening.cancel(taskId, cancelTimeoutMs);
          this.merge(task, exchangeId);
        },
        ask: async () => void await this.#ask(),
        tell: problem => this.#keep(() => {
          if (this.#over) return;
          this.#problem ??= problem;
          this.#scope.journal.problem(problem, { taskId: this.taskId, exchangeId: this.#listening.lastExchange });
        }),
        until: (isSo, longest) => this.#progress.until(() => isSo() || this.#over, longest),
      });
    } finally {
      this.#close('stopped');
      await this.#ended;
    }
  }

  /** The agent has named the task. */
  #isTold(): boolean {
    return this.taskId !== undefined && (this.seq === undefined || this.#reception.answered);
  }

  /** Something happened: whoever waits for it looks again. */
  #advance(): void {
    this.#progress.advance();
    if (!this.running && !this.#resolved) {
      this.#resolved = true;
      this.#resolveDone(this.#result());
    }
    const shown = JSON.stringify([this.running, this.#stopping, this.#over, this.taskId, this.state]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#scope.onDidChange();
  }

  #result(): RunResult {
    const { fold, firstEventAt, answered, heard: { states, findings } } = this.#reception;
    return {
      task: fold.task !== undefined && (answered || this.seq === undefined) ? fold.task.task : undefined,
      message: fold.message,
      problem: this.#problem,
      delivery: answered ? 'sent' : this.#delivery,
      states,
      findings,
      startedAt: this.#startedAt,
      firstEventAt,
      endedAt: Date.now(),
      exchangeIds: [...this.#listening.exchangeIds],
    };
  }

  #close(why: Closing): void {
    if (this.#closing !== undefined) return;
    this.#closing = why;
    if (why === 'disowned') {
      this.#problem ??= new Problem('followed-elsewhere', sentence('Another window follows this task now.'));
    }
    this.#listening.close();
  }

  /** Writes what is left. Nothing is written afterwards, so that the store may be closed. */
  #finish(): void {
    if (this.#over) return;
    this.#keep(() => this.#reception.flush());
    this.#over = true;
    this.#keep(() => this.#letGo());
    this.#scope.journal.flush();
    this.#advance();
  }

  /** Tells the person what ended the run; a defect goes to the log. */
  #endWith(error: unknown): void {
    if (this.#closing !== undefined) return;
    if (error instanceof Problem) this.#keep(() => this.#tell(error));
    else this.#fail(error);
  }

  /** Writes to the history; a history that cannot be written ends the run. */
  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What went wrong here and not at the agent: the history could not be written, or a defect. */
  #fail(error: unknown): void {
    this.#problem ??= error instanceof Problem ? error : new Problem('defect', sentence('Something went wrong inside A2A Workbench.'), {
      cause: error, details: error instanceof Error ? error.stack : String(error),
    });
    // A context that was deleted in another window is no fault of anybody.
    if (!(error instanceof Problem && error.code === 'no-context')) this.#scope.onError(error);
    this.#close('failed');
  }

  #gap(reason: Sentence): void {
    this.#reception.flush();
    this.#scope.journal.gap(reason, this.#knownTask());
  }

  /** Puts what went wrong at the agent where the person sees it. */
  #tell(problem: Problem): void {
    this.#problem = problem;
    this.#reception.flush();
    // A task that is looked after again at every start says only once why that is in vain.
    const once = this.seq === undefined;
    this.#scope.journal.problem(problem, { taskId: this.taskId, exchangeId: this.#listening.lastExchange, once });
  }

  #letGo(): void {
    const { taskId, state } = this;
    if (taskId === undefined || this.#closing === 'disowned' || this.#closing === 'superseded') return;
    this.#scope.release(taskId, this.#closing === 'detached' && state !== undefined && needsListener(state));
  }
}

/** Something may still come without a message from the client (A2A 1.0 §7.6.1 for authorisation). */
const needsListener = (state: TaskState): boolean => isActive(state) || state === 'TASK_STATE_AUTH_REQUIRED';
