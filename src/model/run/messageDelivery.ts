import type { Task } from '../../protocol/message/task.ts';
import type { Delivery } from '../../protocol/message/transcript.ts';
import { deliveryAfter, outcomeAfter } from './deliveryAfter.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { Journal } from './journal.ts';
import type { Sending } from './runScope.ts';

/** How far the message of a run got. */
export class MessageDelivery {
  readonly #sending: Sending;
  readonly #journal: Journal;
  #state: Delivery = 'sending';
  #outcome: LocalizedMessage | undefined;

  constructor(sending: Sending, journal: Journal) {
    this.#sending = sending;
    this.#journal = journal;
  }

  get state(): Delivery {
    return this.#state;
  }

  /** The answer to the send was read to its end. */
  get responseRead(): boolean {
    return this.#state !== 'sending';
  }

  /** A task that contains the message proves that it arrived. */
  find({ history }: Task): void {
    const { messageId } = this.#sending.message;
    if (history?.some(message => message.messageId === messageId) === true) this.arrived();
  }

  /** The agent has the message, whose delivery was unknown. */
  arrived(): void {
    if (this.#state !== 'unknown') return;
    this.#state = 'sent';
    this.#journal.delivery(this.#sending.seq, 'sent');
  }

  /** The exchange has ended: its events say how far the message got, and without any, what ended it. */
  settle(answered: boolean, fault: unknown): void {
    this.#state = answered ? 'sent' : deliveryAfter(fault);
    this.#outcome = this.#state === 'sent' ? undefined : outcomeAfter(fault);
  }

  /** Writes it to the history. */
  keep(exchangeId: string | undefined): void {
    this.#journal.delivery(this.#sending.seq, this.#state, exchangeId, this.#outcome);
  }
}
