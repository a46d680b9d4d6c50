import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { Problem } from '../../protocol/problem.ts';
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
