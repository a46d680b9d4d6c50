import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { codeOf } from '../../client/network/errorCode.ts';
import { A2AError } from '../../protocol/errors.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Delivery } from '../../protocol/message/transcript.ts';

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
  timeout: sentence('No reply in time: the agent may or may not have it'),
};

/** Why the delivery of a message is `refused` or `unknown`, in a few words; undefined where no more is known. */
export function outcomeAfter(fault: unknown): LocalizedMessage | undefined {
  if (!(fault instanceof Problem)) return undefined;
  if (fault instanceof ConnectionProblem && fault.reached !== 'no') return unknown[fault.code];
  const [status, name] = fault.statuses;
  if (name !== undefined) return sentence('Failed · gRPC {0}', name);
  if (status !== undefined) return sentence('Failed · HTTP {0}', status);
  if (fault instanceof A2AError) return sentence('Failed · error {0}', fault.rpcCode);
  return fault.exchangeId !== undefined && !(fault instanceof ConnectionProblem)
    ? sentence('Failed')
    : (unsent[fault.code] ?? unsent[codeOf(fault.cause)] ?? sentence('Not sent'));
}
