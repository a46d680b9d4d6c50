import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, adviseOnFinished, isTaskNotFound } from '../../protocol/errors.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import { sentence, type Problem } from '../../protocol/problem.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { askQuietly, type StopOutcome } from './cancellation.ts';
import { gapOf, lostWithStream, notKept } from './gap.ts';
import { recover } from './recovery.ts';
import { RunEnd } from './runEnd.ts';
import { RunReport } from './runReport.ts';
import { needsListener, type RunScope, type Sending } from './runScope.ts';
import type { RunResult } from './sendOptions.ts';
import { singleAnswer, withReturnImmediately } from './singleAnswer.ts';
import type { TaskConnection } from './taskConnection.ts';
import { TaskWatch } from './taskWatch.ts';

/**
 * One message that is being sent, or one unfinished task that is followed. The message is in the history before anything is sent, and each
 * answer of the agent is in the history before it is shown. Nothing is ever sent twice.
 */
export class Run {
  /** The entry of the message that was sent; undefined if a task is only followed. */
  readonly seq: number | undefined;
  /**
   * Resolves when it is the client's turn again. After a question of the task, it resolves when the agent has finished: its stream has
   * ended, or nothing came for a while. Never rejects: see `problem`.
   */
  readonly done: Promise<RunResult>;
  /** Resolves when nothing is listened to any more and everything is written. Never rejects. */
  readonly ended: Promise<void>;
  readonly #watch: TaskWatch;
  readonly #end: RunEnd;
  readonly #report: RunReport;

  /** Sends the message, or follows the task of that id, which has no listener. */
  constructor(scope: RunScope, what: Sending | string) {
    const [taskId, sending] = typeof what === 'string' ? [what, undefined] : [what.message.taskId, what];
    this.seq = sending?.seq;
    this.#watch = new TaskWatch(scope, taskId, sending, {
      onAdvance: () => this.#report.look(),
      onFull: () => this.#end.full(),
      onDisowned: () => this.#end.close('disowned'),
      onFailure: error => this.#end.fail(error),
    });
    this.#end = new RunEnd(this.#watch);
    this.#report = new RunReport(this.#watch, this.#end);
    this.done = this.#report.done;
    this.ended = this.#main(sending);
  }

  get taskId(): string | undefined {
    return this.#watch.taskId;
  }

  /** The state that the agent sent last. */
  get state(): TaskState | undefined {
    return this.#watch.state;
  }

  /** False once it is the client's turn: the task is over or waits, or the agent answered with a message, or it failed. */
  get running(): boolean {
    return this.#watch.running;
  }

  /** The connection to the agent; a task that waits for the person needs none. */
  get connection(): TaskConnection {
    const { state } = this.#watch.connection;
    if (state.kind !== 'open' && state.kind !== 'quiet') return state;
    return { ...state, kind: this.running ? state.kind : 'open', ...(!this.isListening && { polled: true }) };
  }

  /** Begins the next attempt to reach the agent at once. */
  tryNow(): void {
    this.#watch.connection.tryNow();
  }

  /** When the agent last sent anything, by `performance.now()`; undefined if it has not. */
  get lastReceivedAt(): number | undefined {
    return this.#watch.stream.lastReceivedAt;
  }

  /** See `AgentStream`. */
  get provisional(): number | undefined {
    return this.#watch.stream.provisional;
  }

  /** The current result: what `done` would resolve to if the run ended now. */
  get result(): RunResult {
    return this.#report.result;
  }

  /** See `RunResult.findings`. */
  get findings(): readonly Finding[] {
    return this.#watch.updates.observations.findings;
  }

  get stopping(): boolean {
    return this.#end.stopping;
  }

  /** Why the task goes on although Stop was asked, while it does. */
  get refusal(): Problem | undefined {
    return this.#end.refusal;
  }

  /** Neither running nor listening. */
  get over(): boolean {
    return this.#watch.phase.isOver;
  }

  /** A stream or another response is read or awaited: news of the task comes with it. */
  get isListening(): boolean {
    const { current: phase } = this.#watch.phase;
    return phase === 'sending' || phase === 'streaming';
  }

  /** Takes in the task from the answer to another call: everything about a task goes through the run that listens to it. */
  merge(task: Task, exchangeId: string): void {
    if (!this.over) this.#watch.merge(task, exchangeId);
  }

  /** A push notification of the task came: a sign of the agent. */
  received(): void {
    this.#watch.connection.received();
  }

  /** The history has lost its content: writes what is known here once more. */
  rewrite(): void {
    if (this.over) return;
    const { updates, scope, sending, stream } = this.#watch;
    const { task } = updates.reducer;
    const { journal, load } = scope;
    const said = sending === undefined ? [] : [{ kind: 'message', taskId: task?.id, message: sending.kept } as const];
    this.#watch.keep(
      () =>
        void journal.inTurn(() => {
          const changes = task === undefined ? [] : load(task.id).merge(task.task);
          journal.record([...said, ...changes], withoutUndefined({ exchangeId: stream.lastExchange, follow: true }));
        }),
    );
  }

  /** The machine has slept: checks at once whether the agent is still there. */
  wake(): void {
    this.#watch.stream.wake();
  }

  /** Requests the task's state once, for at most so many milliseconds. Without a response the known state stays. */
  async ask(timeoutMs: number): Promise<void> {
    if (this.#watch.isNamed) await askQuietly(() => this.#watch.askAfterClose(timeoutMs));
  }

  /** Asks the agent to cancel, then stops listening. A task that goes on in spite of that is followed, and can be stopped again. */
  stop(): Promise<StopOutcome> {
    return this.#end.stop(this.ended);
  }

  /** Stops listening at once and leaves the task to another run. Cancels nothing. */
  detach(): void {
    this.#end.close('detached');
    this.#end.finish();
  }

  /** Stops listening at once, because another run listens to the same task from now on. */
  supersede(): void {
    this.#end.close('superseded');
    this.#end.finish();
  }

  async #main(sending: Sending | undefined): Promise<void> {
    const watch = this.#watch;
    try {
      // The callbacks must be in place before the first response.
      await Promise.resolve();
      if (sending !== undefined) {
        const unfinished = await this.#settle(sending, await this.#send(sending));
        if (unfinished !== undefined) await this.#recover(sending, unfinished);
      } else if (watch.log.isFull) this.#end.full();
      else await recover(watch, sentence('Not connected while the agent was working, so some of its output may be missing.'));
    } catch (error) {
      this.#end.with(error);
    }
    await this.#end.result;
    if (!this.over) watch.keep(() => watch.updates.flush());
    watch.phase.move('settled');
    await watch.scope.journal.written;
    this.#end.finish();
  }

  /** Sends the message, once, and reads the answer. */
  async #send({ message, params, streaming, plainly, unchecked }: Sending): Promise<Answer> {
    const { stream } = this.#watch;
    let streams = false;
    let fault: unknown;
    try {
      await stream.prepare();
      const client = await stream.connect();
      const body = { ...params, message };
      streams = streaming ?? client.card.capabilities.streaming === true;
      fault = await this.#watch.listen(
        streams
          ? options => client.stream('SendStreamingMessage', body, { ...options, unchecked })
          : options => singleAnswer(client, plainly === true ? body : withReturnImmediately(body), { ...options, unchecked }),
      );
    } catch (error) {
      fault = error;
    }
    return { streams, fault };
  }

  /** Decides by how the answer ended how far the message got, and returns the answer if its task has to be followed by other means. */
  async #settle({ message, leaves, takesOver }: Sending, { streams, fault }: Answer): Promise<Unfinished | undefined> {
    const watch = this.#watch;
    const { updates, delivery, phase, stream } = watch;
    if (message.taskId !== undefined && watch.state !== undefined && isTerminal(watch.state)) adviseOnFinished(fault);
    watch.keep(() => {
      delivery?.settle(updates.answered, fault);
      // A process that is about to end does not change the message: the next process knows that its delivery is unknown.
      if (!updates.answered && !phase.isOver) delivery?.keep(stream.lastExchange);
    });
    if (fault === undefined && updates.reducer.task?.asksAgain === true) watch.keep(() => updates.askAgain());
    if (!phase.listens) return undefined;
    const left = leaves === true && updates.answered;
    const named = fault === undefined && !left ? this.#namedByMessage() : undefined;
    if (named !== undefined && !(await watch.adoptNamed(named))) return undefined;
    const recovers = !left && this.#canRecover(takesOver);
    const cut = fault instanceof ConnectionProblem && updates.answered ? fault : undefined;
    // Where the agent has said all that the client waits for, nothing is lost with the connection.
    const toldAll = watch.state === undefined ? updates.reducer.message !== undefined : !isActive(watch.state);
    const isHarmless = cut !== undefined && (recovers || left || toldAll);
    if (fault !== undefined && !isHarmless) this.#end.with(fault);
    if (recovers) return { streams, fault, cut };
    if (!left) await this.#confirm();
    return undefined;
  }

  /** Follows the task whose answer ended before it did, and says what became of it where that cannot be known. */
  async #recover({ takesOver }: Sending, { streams, fault, cut }: Unfinished): Promise<void> {
    const watch = this.#watch;
    const { task } = watch.updates.reducer;
    // An agent may end the stream of a task that waits (A2A 1.0 §11.7): nothing is lost with it.
    if (streams && (cut !== undefined || !watch.asks)) watch.connection.loseStream(cut);
    try {
      // Without a stream nothing can be missed: the task is asked for until it is over.
      await (streams || takesOver ? recover(watch, gapOf(cut)) : recover(watch, undefined, false));
    } catch (error) {
      if (!(error instanceof A2AError)) throw error;
      // A message is an answer by itself, even if the agent cannot be asked about the task that it was sent into.
      if (watch.updates.reducer.onlyMessages) return;
      const forgotten = isTaskNotFound(error) ? task : undefined;
      if (watch.asks) {
        // The task still waits for the same, even if the agent cannot be asked about it.
        if (forgotten !== undefined) watch.keep(() => void watch.scope.journal.loseTask(forgotten.id, watch.stream.lastExchange));
      } else if (!streams && forgotten !== undefined)
        this.#end.with(error, notKept(forgotten.state, error, watch.scope.agent.card?.capabilities.streaming === true));
      else if (!streams || (fault !== undefined && cut === undefined)) throw error;
      else this.#end.with(lostWithStream(cut, error));
    }
  }

  /** Asks for the task where what came of it may not be all, or not so. What is over stays over, whether or not the agent can be asked. */
  async #confirm(): Promise<void> {
    const { task } = this.#watch.updates.reducer;
    if (task === undefined) return;
    const isPartial = task.hasSkippedEvents || this.#watch.doubtful;
    if (isPartial && !isTerminal(task.state)) await this.#watch.ask();
    else if (isPartial || task.doubtful) await this.#watch.confirm();
  }

  /** The task that the agent's message names, if no event of it came or if it may go on. */
  #namedByMessage(): string | undefined {
    const { reducer } = this.#watch.updates;
    if (!reducer.onlyMessages) return undefined;
    if (reducer.task?.isKnown === true) return needsListener(reducer.task.state) ? reducer.task.id : undefined;
    return reducer.message?.taskId || undefined;
  }

  /** There is a task to ask about, and a reason to ask. */
  #canRecover(takesOver: boolean): boolean {
    const { state, phase, updates, delivery, unfinished } = this.#watch;
    if (state === undefined || !phase.listens) return false;
    if (updates.answered || takesOver) return unfinished;
    // The message was sent into a known task, and it is not known whether it arrived.
    return delivery?.state !== 'refused';
  }
}

/** How the answer to a message ended: as it should where `fault` is undefined. */
interface Answer {
  readonly streams: boolean;
  readonly fault: unknown;
}

/** An answer that ended before its task. `cut`: its connection broke while it came. */
type Unfinished = Answer & { readonly cut: ConnectionProblem | undefined };
