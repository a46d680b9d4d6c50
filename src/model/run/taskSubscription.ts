import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, saysTaskNotFound } from '../../protocol/errors.ts';
import { Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import { gapOf, silentStream, wentSilent } from './gap.ts';
import type { Batch, ListenOptions } from './agentStream.ts';
import { recover } from './recovery.ts';
import { needsListener, type FoundTask, type RunCore } from './runScope.ts';

/** Listens to what the agent answers in one run, and finds out what it says of the task where nothing is heard any more. */
export class TaskSubscription {
  readonly #core: RunCore;
  /** Hears the task as it was asked for, when it has been folded in. */
  readonly #onAsked: (task: Task) => void;
  /** A snapshot came while a stream was open: what it held already may have come a second time. */
  #doubtful = false;
  /** The task ended as its stream told under another id. */
  #ended = false;
  /** The agent cannot say how the task stands. */
  #unknown = false;

  constructor(core: RunCore, onAsked: (task: Task) => void) {
    this.#core = core;
    this.#onAsked = onAsked;
  }

  /** What a stream made has to be confirmed by a snapshot. */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  /** The task's state as it was told last. */
  get #state(): TaskState | undefined {
    return this.#core.reception.fold.task?.state;
  }

  get #taskId(): string {
    const taskId = this.#core.reception.fold.agentId;
    if (taskId === undefined) throw new Error('a run without its task');
    return taskId;
  }

  /** Takes in the task as another call has brought it. */
  merge(task: Task, exchangeId: string): void {
    this.#doubtful = true;
    this.#core.keep(() => this.#core.reception.merge(task, exchangeId));
  }

  /** Reads an answer as long as it is worth it. Resolves to the `Problem` that ended it early, if any. */
  async listen(open: (options: ListenOptions) => AsyncIterable<Batch>): Promise<Problem | undefined> {
    const { listening, keep, reception, isClosing, scope, connection } = this.#core;
    const fault = await listening.listen(open, {
      take: (batch, first) => {
        if (batch.events.length > 0) connection.open();
        keep(() => reception.take(batch, first));
        return !isClosing();
      },
      whenReady: () => scope.journal.written,
      worthWaiting: () => this.#worthWaiting(),
      silence: scope.timing.silence,
      onSilence: () => this.#look(),
    });
    const { ending } = reception.fold;
    if ((fault === undefined || fault instanceof ConnectionProblem) && ending !== undefined && !isClosing()) await this.#takeEnd(ending);
    return fault;
  }

  /**
   * The task ended as its stream told under another id: where that was a failure, unless the agent tells another end of it; otherwise only where the
   * agent knows nothing of it, since a task that an agent has begun for this one may well be over before this one is.
   */
  async #takeEnd(ending: Task): Promise<void> {
    const isUnfinished = (): boolean => this.#state !== undefined && needsListener(this.#state);
    if (isUnfinished()) await this.confirm();
    if (!isUnfinished() || this.#core.isClosing() || !(this.#unknown || ending.status.state === 'TASK_STATE_FAILED')) return;
    this.#ended = true;
    this.#core.keep(() => this.#core.reception.endAs(ending));
  }

  /** Listens again to a task whose stream is gone, or was never here; `gap` is what to say where something was missed; `subscribes`: unless it may not. */
  async follow(gap: LocalizedMessage | undefined, subscribes?: false): Promise<void> {
    const { listening, connection, scope: { timing, agent } } = this.#core;
    let missed = gap;
    const patience = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const subscription = (options: ListenOptions): AsyncIterable<Batch> => this.#subscription(options);
    await recover({
      ask: async () => {
        await this.ask(missed, false, listening.awake);
        missed = undefined;
        // Who can be authorised elsewhere (A2A 1.0 §7.6.1) goes on without another message; that is not waited for without end.
        if (this.#state === 'TASK_STATE_AUTH_REQUIRED') timer ??= setTimeout(() => patience.abort(), timing.giveUp);
      },
      subscribe: async () => {
        const fault = await this.listen(subscription);
        const stillNeeded = this.#state !== undefined && needsListener(this.#state);
        if (stillNeeded && (fault === undefined || fault instanceof ConnectionProblem)) missed = gapOf(fault);
        return fault;
      },
      // In a window that has just begun, nothing is known of the agent before it was asked.
      streams: () => subscribes ?? agent.card?.capabilities.streaming === true,
      isOver: () => this.#state !== undefined && !needsListener(this.#state),
      signal: AbortSignal.any([listening.signal, patience.signal]),
      awake: () => listening.awake,
      timing,
      connection,
    }).finally(() => clearTimeout(timer));
  }

  /** Folds in the task as it is now; true where that was news. `listening`: a stream is open meanwhile. Rejects with a `Problem`. */
  async ask(gap?: LocalizedMessage, listening?: boolean, until?: AbortSignal): Promise<boolean> {
    // Otherwise each attempt would wait behind the others.
    await this.#core.scope.journal.written;
    return this.#takeAsked(await this.#core.listening.ask(this.#taskId, until), gap, listening);
  }

  /** The same, also when nothing is listened for any more. */
  async askAnyway(timeoutMs: number): Promise<void> {
    this.#takeAsked(await this.#core.listening.askAnyway(this.#taskId, timeoutMs));
  }

  #takeAsked({ task, exchangeId, findings }: FoundTask, gap?: LocalizedMessage, listening?: boolean): boolean {
    this.#unknown = false;
    // An agent that has told the end under another id does not know of it.
    if (this.#core.isOver() || (this.#ended && isActive(task.status.state))) return false;
    let isNew = false;
    this.#core.keep(() => {
      this.#core.reception.heard.take([], findings);
      isNew = this.#core.reception.merge(task, exchangeId, gap, listening);
      this.#onAsked(task);
    });
    return isNew;
  }

  /**
   * Finds out whether the agent keeps the task that its answer, a message, names: where it does, it is taken in; where it does not, the message
   * was all. False where there is nothing to follow.
   */
  async keepsNamed(taskId: string): Promise<boolean> {
    const { listening, reception, scope, isOver, keep } = this.#core;
    const known = reception.fold.task?.isTold === true;
    try {
      const { task, exchangeId, findings } = await listening.ask(taskId);
      reception.heard.take([], findings);
      if (!isOver()) keep(() => (known ? void reception.merge(task, exchangeId) : reception.adopt(task, exchangeId)));
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!known) return false;
      if (!saysTaskNotFound(error)) return true;
      keep(() => void scope.journal.loseTask(taskId, listening.lastExchange));
      return false;
    }
  }

  /** Asks where nothing says that anything is missing: an agent that cannot be asked has told the task all the same. */
  async confirm(): Promise<void> {
    try {
      await this.ask();
    } catch (error) {
      // What it answers instead is in the exchange.
      if (!(error instanceof Problem)) throw error;
      this.#unknown = error instanceof A2AError;
    }
  }

  async* #subscription(options: ListenOptions): AsyncGenerator<Batch> {
    const client = await this.#core.listening.connect();
    this.#core.reception.fold.task?.joinMidway();
    yield* client.stream('SubscribeToTask', { id: this.#taskId }, options);
  }

  /** A connection can be dead without anybody saying so; another one tells. */
  async #look(): Promise<void> {
    if (!this.#core.isTold()) return;
    try {
      const isNew = await this.ask(wentSilent, true);
      this.#doubtful = true;
      if (isNew && this.#state !== undefined && needsListener(this.#state)) throw silentStream();
    } catch (error) {
      // Whoever answers an error is there; that an agent cannot be asked about a task does not mean that it has left it.
      if (error instanceof ConnectionProblem || !(error instanceof Problem)) throw error;
      this.#unknown = error instanceof A2AError;
    }
  }

  /** How long an open answer is still read when nothing comes; undefined: as long as it takes. */
  #worthWaiting(): number | undefined {
    const { linger, lingerMessage, attend } = this.#core.scope.timing;
    const state = this.#state;
    const { ending } = this.#core.reception.fold;
    if (ending !== undefined && (this.#unknown || ending.status.state === 'TASK_STATE_FAILED')) return linger;
    if (state === undefined) return this.#core.reception.fold.message === undefined ? undefined : lingerMessage;
    if (isTerminal(state)) return linger;
    return isActive(state) ? undefined : attend;
  }
}
