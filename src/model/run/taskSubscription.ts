import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, isTaskNotFound } from '../../protocol/errors.ts';
import { Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, isTerminal } from '../../protocol/message/taskState.ts';
import { gapOf, silentStream, wentSilent } from './gap.ts';
import type { Batch, ListenOptions } from './agentStream.ts';
import { recover } from './recovery.ts';
import type { RunCore } from './runCore.ts';
import { needsListener, type FoundTask } from './runScope.ts';

/** Listens to the answers of one run, and asks the agent for the state of the task when nothing is heard any more. */
export class TaskSubscription {
  readonly #core: RunCore;
  /** A snapshot came while a stream was open: the stream may repeat what the snapshot had already. */
  #doubtful = false;
  /** The task ended, as its stream said under another id. */
  #ended = false;
  /** See `hasEnded`. */
  #hasEnded = false;
  /** The agent cannot say what state the task is in. */
  #unknown = false;

  constructor(core: RunCore) {
    this.#core = core;
  }

  /** What came over a stream still has to be confirmed by a snapshot. */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  /** The agent itself has ended the newest answer that was read: nothing more comes over it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get #taskId(): string {
    const taskId = this.#core.reception.fold.agentId;
    if (taskId === undefined) throw new Error('a run without its task');
    return taskId;
  }

  /** Takes in the task from the answer to another call. */
  merge(task: Task, exchangeId: string): void {
    this.#doubtful = true;
    this.#core.keep(() => this.#core.reception.merge(task, exchangeId));
  }

  /** Reads an answer for as long as that is useful. Resolves to the `Problem` that ended it early, if any. */
  async listen(open: (options: ListenOptions) => AsyncIterable<Batch>): Promise<Problem | undefined> {
    const { listening, reception, life, scope, connection } = this.#core;
    this.#hasEnded = false;
    const fault = await listening.listen(open, {
      take: (batch, first) => {
        life.move('answer begun');
        if (batch.events.length > 0) connection.open();
        this.#core.keep(() => reception.take(batch, first));
        return life.listens;
      },
      whenReady: () => scope.journal.written,
      worthWaiting: () => this.#worthWaiting(),
      silence: scope.timing.silence,
      keptAlive: scope.agent.answerTimeoutMs ?? scope.timing.keptAlive,
      onSilence: () => this.#look(),
    });
    this.#hasEnded = fault === undefined;
    const { ending } = reception.fold;
    if ((fault === undefined || fault instanceof ConnectionProblem) && ending !== undefined && life.listens) await this.#takeEnd(ending);
    return fault;
  }

  /**
   * The stream said under another id that the task ended. A failure counts, unless the agent then reports another end of the task. Any other
   * end counts only if the agent does not know the task: a task that the agent began for this one may well end before this one does.
   */
  async #takeEnd(ending: Task): Promise<void> {
    const isUnfinished = (): boolean => this.#core.state !== undefined && needsListener(this.#core.state);
    if (isUnfinished()) await this.confirm();
    if (!isUnfinished() || !this.#core.life.listens || !(this.#unknown || ending.status.state === 'TASK_STATE_FAILED')) return;
    this.#ended = true;
    this.#core.keep(() => this.#core.reception.endAs(ending));
  }

  /**
   * Listens again to a task whose stream is gone or was never in this process. `gap`: the gap to write if something was missed; `subscribes`:
   * false if the task may only be asked for.
   */
  async follow(gap: LocalizedMessage | undefined, subscribes?: false): Promise<void> {
    const {
      listening,
      connection,
      life,
      scope: { timing, agent },
    } = this.#core;
    let missed = gap;
    life.move('ended early');
    this.#core.advance();
    const patience = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const subscription = (options: ListenOptions): AsyncIterable<Batch> => this.#subscription(options);
    await recover({
      ask: async () => {
        await this.ask(missed, false, listening.awake);
        missed = undefined;
        // An authorization elsewhere (A2A 1.0 §7.6.1) lets the task go on without another message; that is not waited for without end.
        if (this.#core.state === 'TASK_STATE_AUTH_REQUIRED') timer ??= setTimeout(() => patience.abort(), timing.giveUp);
      },
      subscribe: async () => {
        const fault = await this.listen(subscription);
        const stillNeeded = this.#core.state !== undefined && needsListener(this.#core.state);
        if (stillNeeded) life.move('ended early');
        this.#core.advance();
        if (stillNeeded && (fault === undefined || fault instanceof ConnectionProblem)) missed = gapOf(fault);
        return fault;
      },
      // In a window that has just started, nothing is known of the agent until it is asked.
      streams: () => subscribes ?? agent.card?.capabilities.streaming === true,
      isOver: () => this.#core.state !== undefined && !needsListener(this.#core.state),
      isWaiting: () => this.#core.asks,
      signal: AbortSignal.any([listening.signal, patience.signal]),
      awake: () => listening.awake,
      timing,
      connection,
    }).finally(() => clearTimeout(timer));
  }

  /** GetTask; applies the answer and returns true if it was news. `listening`: a stream is open meanwhile. Rejects with a `Problem`. */
  async ask(gap?: LocalizedMessage, listening?: boolean, until?: AbortSignal): Promise<boolean> {
    if (listening !== true) this.#core.life.move('asking');
    // Otherwise each attempt would wait for the ones before.
    await this.#core.scope.journal.written;
    return this.#takeAsked(await this.#core.listening.ask(this.#taskId, until), gap, listening);
  }

  /** The same, also after listening has ended. */
  async askAnyway(timeoutMs: number): Promise<void> {
    this.#takeAsked(await this.#core.listening.askAnyway(this.#taskId, timeoutMs));
  }

  #takeAsked({ task, exchangeId, findings }: FoundTask, gap?: LocalizedMessage, listening?: boolean): boolean {
    this.#unknown = false;
    // An agent that reported the end under another id does not know about it under this one.
    if (this.#core.life.isOver || (this.#ended && isActive(task.status.state))) return false;
    let isNew = false;
    this.#core.keep(() => {
      this.#core.reception.heard.take([], findings);
      isNew = this.#core.reception.merge(task, exchangeId, gap, listening);
      this.#core.delivery?.find(task);
    });
    return isNew;
  }

  /**
   * Finds out whether the agent has the task that its answer, a message, names: if so, the task is taken in; if not, the message was all.
   * Returns false if there is nothing to follow.
   */
  async keepsNamed(taskId: string): Promise<boolean> {
    const { listening, reception, scope, life } = this.#core;
    const known = reception.fold.task?.isTold === true;
    life.move('asking');
    try {
      const { task, exchangeId, findings } = await listening.ask(taskId);
      reception.heard.take([], findings);
      if (!life.isOver) this.#core.keep(() => (known ? void reception.merge(task, exchangeId) : reception.adopt(task, exchangeId)));
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!known) return false;
      if (!isTaskNotFound(error)) return true;
      this.#core.keep(() => void scope.journal.loseTask(taskId, listening.lastExchange));
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

  async *#subscription(options: ListenOptions): AsyncGenerator<Batch> {
    const client = await this.#core.listening.connect();
    this.#core.reception.fold.task?.joinMidway();
    yield* client.stream('SubscribeToTask', { id: this.#taskId }, options);
  }

  /** A connection can be dead without an error; another connection shows it. Resolves to whether the agent has said how the task stands. */
  async #look(): Promise<boolean> {
    if (!this.#core.isTold) return false;
    try {
      const isNew = await this.ask(wentSilent, true);
      this.#doubtful = true;
      if (isNew && this.#core.state !== undefined && needsListener(this.#core.state)) throw silentStream();
      return true;
    } catch (error) {
      // An agent that answers with an error is there; that it cannot be asked about a task does not mean that the agent has abandoned it.
      if (error instanceof ConnectionProblem || !(error instanceof Problem)) throw error;
      this.#unknown = error instanceof A2AError;
      return false;
    }
  }

  /** How long an open answer is still read while nothing arrives; undefined: without a limit. */
  #worthWaiting(): number | undefined {
    const { linger, lingerMessage, attend } = this.#core.scope.timing;
    const { state } = this.#core;
    const { ending } = this.#core.reception.fold;
    if (ending !== undefined && (this.#unknown || ending.status.state === 'TASK_STATE_FAILED')) return linger;
    if (state === undefined) return this.#core.reception.fold.message === undefined ? undefined : lingerMessage;
    if (isTerminal(state)) return linger;
    return isActive(state) ? undefined : attend;
  }
}
