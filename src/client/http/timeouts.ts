import { isSend, isStreaming, type Operation } from '../../protocol/message/operations.ts';
import type { Http } from './http.ts';
import { timeLimits } from './timeLimits.ts';

/** How long an answer may take, in milliseconds; 0 waits until canceled. */
export interface Timeouts {
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
}

export const untilCanceled: Timeouts = { headersTimeoutMs: 0, bodyTimeoutMs: 0 };

export const cardTimeouts: Timeouts = { headersTimeoutMs: timeLimits.cardSilence, bodyTimeoutMs: timeLimits.cardSilence };

/**
 * Without a limit in the agent's settings, a send waits for the end of the agent's work (some agents send the headers of a stream only
 * then), so only the caller can limit the time.
 */
export function timeoutsFor(operation: Operation, { answerTimeoutMs }: Pick<Http, 'answerTimeoutMs'>): Timeouts {
  if (answerTimeoutMs !== undefined)
    return { headersTimeoutMs: answerTimeoutMs, bodyTimeoutMs: isStreaming(operation) ? 0 : answerTimeoutMs };
  if (isSend(operation)) return untilCanceled;
  return { headersTimeoutMs: timeLimits.head, bodyTimeoutMs: isStreaming(operation) ? 0 : timeLimits.body };
}
