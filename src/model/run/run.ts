import { Problem, sentence } from '../../protocol/problem.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Task } from '../../protocol/message/task.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { now } from '../now.ts';
import { wholeTask } from '../fold/wholeTask.ts';
import type { StopOutcome } from './cancellation.ts';
import { RunCore } from './runCore.ts';
import type { RunScope, Sending } from './runScope.ts';
import { RunStop } from './runStop.ts';
import { Sender } from './sender.ts';
import type { RunResult } from './sendOptions.ts';
import type { TaskConnection } from './taskConnection.ts';
import { TaskSubscription } from './taskSubscription.ts';

/**
 * One message that is being sent, or one unfinished task that is followed. The message is in the history before anything is sent, and each
 * answer of the agent is in the history before it is shown. Nothing is ever sent twice.
 */
export class Run {
  /** The entry of the message that was sent; undefined if a task is only followed. */
  readonly seq: number | undefined;
  readonly messageId: string | undefined;
  /**
   * Resolves when it is the client's turn again. If the task asks something, it resolves when the agent has finished: its stream has ended, or
   * nothing came for a while. Never rejects: `problem` says what went wrong.
   */
  readonly done: Promise<RunResult>;
  readonly #core: RunCore;
  readonly #following: TaskSubscription;
  readonly #stop: RunStop;
  readonly #resolveDone: (result: RunResult) => void;
  readonly #ended: Promise<void>;
  readonly #startedAt = now();
  #resolved = false;
  #shown = '';
  /** Runs out when the agent has added nothing after a question for a while. */
  #hearing: NodeJS.Timeout | undefined;

  private constructor(scope: RunScope, taskId: string | undefined, sending: Sending | undefined) {
    this.seq = sending?.seq;
    this.messageId = sending?.message.messageId;
    this.#core = new RunCore(scope, taskId, sending, () => this.#show());
    this.#following = new TaskSubscription(this.#core);
    this.#stop = new RunStop(this.#core, this.#following);
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

  /** Resolves when nothing is listened to any more and everything is written. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get taskId(): string | undefined {
    return this.#core.taskId;
  }

  /** The state that the agent sent last. */
  get state(): TaskState | undefined {
    return this.#core.state;
  }

  /** False once it is the client's turn: the task is over or waits, or the agent answered with a message, or it failed. */
  get running(): boolean {
    return this.#core.running;
  }

  /** How this window hears of the agent; a task that waits for the person needs no connection. */
  get connection(): TaskConnection {
    const { state } = this.#core.connection;
    return state.kind === 'quiet' && !this.running ? { ...state, kind: 'open' } : state;
  }

  /** Begins the next attempt to reach the agent at once. */
  tryNow(): void {
    this.#core.connection.tryNow();
  }

  /** When the agent last sent anything, by `performance.now()`; undefined if it has not. */
  get heardAt(): number | undefined {
    return this.#core.listening.heardAt;
  }

  /** See `AgentStream`. */
  get provisional(): number | undefined {
    return this.#core.listening.provisional;
  }

  /** The current result: what `done` would resolve to if the run ended now. */
  get result(): RunResult {
    const { reception, delivery, listening, problem } = this.#core;
    const {
      fold,
      firstEventAt,
      answered,
      heard: { states, findings, events },
    } = reception;
    return {
      task: fold.task !== undefined && (answered || this.seq === undefined) ? fold.task.task : undefined,
      message: fold.message,
      problem,
      delivery: answered ? 'sent' : (delivery?.state ?? 'sending'),
      states,
      findings,
      events,
      startedAt: this.#startedAt,
      firstEventAt,
      endedAt: now(),
      exchangeIds: [...listening.exchangeIds],
    };
  }

  /** See `RunResult.findings`. */
  get findings(): readonly Finding[] {
    return this.#core.reception.heard.findings;
  }

  get stopping(): boolean {
    return this.#stop.stopping;
  }

  /** Why the task goes on although Stop was asked, while it does. */
  get refusal(): Problem | undefined {
    return this.#stop.refusal;
  }

  /** Neither running nor listening. */
  get over(): boolean {
    return this.#core.life.isOver;
  }

  /** A stream or another answer is read or awaited: what the agent tells meanwhile comes with it. */
  get hears(): boolean {
    const { phase } = this.#core.life;
    return phase === 'sending' || phase === 'streaming';
  }

  /** Takes in the task from the answer to another call: everything about a task goes through the run that listens to it. */
  merge(task: Task, exchangeId: string): void {
    if (!this.over) this.#following.merge(task, exchangeId);
  }

  /** The history has lost its content: writes what is known here once more. */
  rewrite(): void {
    if (this.over) return;
    const { reception, scope, sending, listening } = this.#core;
    const { task } = reception.fold;
    const { journal, load } = scope;
    const said = sending === undefined ? [] : [{ kind: 'message', taskId: task?.id, message: sending.kept } as const];
    this.#core.keep(
      () =>
        void journal.inTurn(() => {
          const changes = task === undefined ? [] : load(task.id).merge(wholeTask(task.task));
          journal.record([...said, ...changes], withoutUndefined({ exchangeId: listening.lastExchange, follow: true }));
        }),
    );
  }

  /** The machine has slept: checks at once whether the agent is still there. */
  wake(): void {
    this.#core.listening.wake();
  }

  /** Asks the agent once how the task stands, for so many milliseconds. Where it does not say that, what is known stays. */
  async ask(timeoutMs: number): Promise<void> {
    if (!this.#core.isTold) return;
    try {
      await this.#following.askAnyway(timeoutMs);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Asks the agent to cancel, then stops listening. A task that goes on in spite of that is followed, and can be stopped again. */
  stop(): Promise<StopOutcome> {
    return this.#stop.stop(this.#ended);
  }

  /** Stops listening at once and leaves the task to another run. Cancels nothing. */
  detach(): void {
    this.#core.close('detached');
    this.#core.finish();
  }

  /** Stops listening at once, because another run listens to the same task from now on. */
  supersede(): void {
    this.#core.close('superseded');
    this.#core.finish();
  }

  async #main(sending: Sending | undefined): Promise<void> {
    const core = this.#core;
    try {
      // The callbacks must be in place before anything is heard.
      await Promise.resolve();
      if (sending !== undefined) await new Sender(core, sending, this.#following).send();
      else if (core.log.isFull) core.endFull();
      else await this.#following.follow(sentence('Not connected while the agent worked, so some of what it said may be missing.'));
    } catch (error) {
      core.endWith(error);
    }
    await this.#stop.result;
    if (!this.over) core.keep(() => core.reception.flush());
    core.life.move('settled');
    await core.scope.journal.written;
    core.finish();
  }

  /** Reports what changed, if it is shown. */
  #show(): void {
    const { life, asks, scope } = this.#core;
    clearTimeout(this.#hearing);
    if (!this.running && !this.#resolved) {
      // A question on a stream that stays open may not be all that the agent says.
      if (!life.listens || !asks || this.#following.hasEnded) this.#resolve();
      else this.#hearing = setTimeout(() => this.#resolve(), scope.timing.hearOut);
    }
    const shown = JSON.stringify([this.running, this.stopping, this.over, this.taskId, this.state]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    scope.onDidChange();
  }

  #resolve(): void {
    if (this.#resolved) return;
    this.#resolved = true;
    this.#resolveDone(this.result);
  }
}
