import { Problem, sentence } from '../../protocol/problem.ts';

/** Throws a `Problem` `stopped` where a person has stopped it. */
export function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stoppedEarly();
}

/** The result of preparatory work, unless a stop comes first. */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(stoppedEarly());
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}

const stoppedEarly = (): Problem => new Problem('stopped', sentence('The request was stopped before it was sent.'));
