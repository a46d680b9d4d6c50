import { isSend, isStreaming, type Operation } from '../../protocol/message/operations.ts';
import { longestWait } from './longestWait.ts';

/** How long an answer may take, in milliseconds; 0 waits until cancelled. */
export interface Timeouts {
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
}

export const untilCancelled: Timeouts = { headersTimeoutMs: 0, bodyTimeoutMs: 0 };

/**
 * A send waits for the agent's work to end (some agents send no head of a stream before), so only the caller can say when that has
 * taken too long.
 */
export function timeoutsFor(operation: Operation): Timeouts {
  if (isSend(operation)) return untilCancelled;
  return { headersTimeoutMs: longestWait.head, bodyTimeoutMs: isStreaming(operation) ? 0 : longestWait.body };
}
