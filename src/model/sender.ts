import { ConnectionProblem } from '../client/connectionProblem.ts';
import type { Task } from '../protocol/task.ts';
import { isActive, type TaskState } from '../protocol/taskState.ts';
import type { Delivery } from '../protocol/transcript.ts';
import { deliveryAfter } from './deliveryAfter.ts';
import type { Following } from './following.ts';
import { gapOf } from './gap.ts';
import { needsListener, type RunCore, type Sending } from './runScope.ts';
import { singleAnswer } from './singleAnswer.ts';

/** Sends the message of a run, once, and finds out how far it got. What is left to be heard afterwards is the following's. */
export class Sender {
  readonly #core: RunCore;
  readonly #sending: Sending;
  #delivery: Delivery = 'sending';
  #heardOut = false;

  constructor(core: RunCore, sending: Sending) {
    this.#core = core;
    this.#sending = sending;
  }

  get delivery(): Delivery {
    return this.#delivery;
  }

  /** The answer to the send was read to its end. */
  get heardOut(): boolean {
    return this.#heardOut;
  }

  get #state(): TaskState | undefined {
    return this.#core.reception.fold.task?.state;
  }

  /** A task that holds the message says that it arrived. */
  find({ history }: Task): void {
    const { seq, message: { messageId } } = this.#sending;
    if (this.#delivery !== 'unknown' || history?.some(message => message.messageId === messageId) !== true) return;
    this.#delivery = 'sent';
    this.#core.scope.journal.delivery(seq, 'sent');
  }

  async send(following: Following): Promise<void> {
    const { message, streaming, params, takesOver } = this.#sending;
    const { listening, reception, keep, isClosing, endWith } = this.#core;
    let fault: unknown;
    let streams = false;
    try {
      const client = await listening.connect();
      const body = { ...params, message };
      streams = streaming ?? client.card.capabilities.streaming === true;
      fault = await following.listen(streams
        ? options => client.stream('SendStreamingMessage', body, options)
        : options => singleAnswer(client, body, options));
    } catch (error) {
      fault = error;
    }
    this.#heardOut = true;
    keep(() => this.#settle(fault));
    if (isClosing()) return;
    const recovers = this.#canRecover();
    const cut = fault instanceof ConnectionProblem && reception.answered ? fault : undefined;
    if (fault !== undefined && (cut === undefined || !(recovers || this.#toldAll()))) endWith(fault);
    const { task } = reception.fold;
    if (recovers) {
      const gap = gapOf(cut);
      if (cut !== undefined && gap !== undefined && task !== undefined) {
        keep(() => {
          reception.flush();
          this.#core.scope.journal.gap(gap, task.id);
        });
      }
      // Without a stream nothing can be missed: the task is asked for until it is over.
      if (streams || takesOver) await following.follow(gap);
      else await following.follow(undefined, false);
    } else if (task?.leftOut === true || (task !== undefined && following.doubtful)) {
      await following.ask();
    } else if (task?.doubtful === true) await following.confirm();
  }

  /** The agent has said all that the client waits for, so that nothing is lost with the connection. */
  #toldAll(): boolean {
    const state = this.#state;
    return state === undefined ? this.#core.reception.fold.message !== undefined : !isActive(state);
  }

  /** There is a task to ask about, and a reason to. */
  #canRecover(): boolean {
    const state = this.#state;
    if (state === undefined || this.#core.isClosing()) return false;
    if (this.#core.reception.answered || this.#sending.takesOver) return needsListener(state);
    // The message went into a task that we know, and nobody knows whether it got there.
    return this.#delivery !== 'refused';
  }

  /** How far the message got, by how its exchange ended. */
  #settle(fault: unknown): void {
    const { scope, reception: { answered }, listening, isOver } = this.#core;
    this.#delivery = answered ? 'sent' : deliveryAfter(fault);
    if (fault instanceof ConnectionProblem && fault.code !== 'cancelled' && fault.reached !== 'yes') scope.agent.lost(fault);
    // A process that is going away leaves the message as it is: the next one knows that nobody knows.
    if (!answered && !isOver()) scope.journal.delivery(this.#sending.seq, this.#delivery, listening.lastExchange);
  }
}
