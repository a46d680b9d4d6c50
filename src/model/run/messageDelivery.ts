import type { Task } from '../../protocol/message/task.ts';
import type { Delivery } from '../../protocol/message/transcript.ts';
import { type LocalizedMessage, Problem, sentence } from '../../protocol/problem.ts';
import type { Journal } from './journal.ts';
import type { Sending } from './runScope.ts';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { codeOf } from '../../client/network/errorCode.ts';
import { A2AError } from '../../protocol/errors.ts';

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

  /** The exchange has ended: its events decide the delivery, and without any, the reason of its end. */
  settle(answered: boolean, fault: unknown): void {
    this.#state = answered ? 'sent' : deliveryAfter(fault);
    this.#outcome = this.#state === 'sent' ? undefined : outcomeAfter(fault);
  }

  /** Writes it to the history. */
  keep(exchangeId: string | undefined): void {
    this.#journal.delivery(this.#sending.seq, this.#state, exchangeId, this.#outcome);
  }
}

/** Codes of problems that are about an answer: there was one, so the message has arrived. */
const answers: ReadonlySet<string> = new Set(['empty-answer', 'not-json', 'unreadable-answer']);

/** How far a message got whose exchange brought no event, decided by what ended the exchange. */
export function deliveryAfter(fault: unknown): Delivery {
  if (fault instanceof ConnectionProblem) {
    if (fault.reached === 'no') return 'refused';
    return fault.reached === 'yes' ? 'sent' : 'unknown';
  }
  if (fault === undefined || (fault instanceof Problem && answers.has(fault.code))) return 'sent';
  return fault instanceof Problem ? 'refused' : 'unknown';
}

/** By the code of the problem, or of the network error that caused it. */
const unsent: Readonly<Record<string, LocalizedMessage>> = {
  cancelled: sentence('Not sent · stopped'),
  tls: sentence('Not sent · TLS failed'),
  ECONNREFUSED: sentence('Not sent · connection refused'),
  ENOTFOUND: sentence('Not sent · host not found'),
};
const unknown: Readonly<Record<string, LocalizedMessage>> = {
  cancelled: sentence('Stopped before a reply'),
  timeout: sentence('No reply in time; it may have arrived'),
};

/** Why the delivery of a message is `refused` or `unknown`, in a few words; undefined where no more is known. */
export function outcomeAfter(fault: unknown): LocalizedMessage | undefined {
  if (!(fault instanceof Problem)) return undefined;
  if (fault instanceof ConnectionProblem && fault.reached !== 'no') return unknown[fault.code];
  const [status, name] = fault.statuses;
  if (name !== undefined) return sentence('Failed · gRPC {0}', name);
  if (status !== undefined) return sentence('Failed · HTTP {0}', status);
  if (fault instanceof A2AError)
    return typeof fault.sent === 'number' ? sentence('Failed · error {0}', fault.sent) : sentence('Failed · {0}', fault.sent);
  return fault.exchangeId !== undefined && !(fault instanceof ConnectionProblem)
    ? sentence('Failed')
    : (unsent[fault.code] ?? unsent[codeOf(fault.cause)] ?? sentence('Not sent'));
}
