import { setTimeout } from 'node:timers/promises';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import type { HttpResponse } from '../../client/http/httpResponse.ts';
import { retryAfter } from '../../client/http/retryAfter.ts';

/** Longest time that is waited within one rule, in milliseconds. */
const mostMs = 10_000;

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Requests that are sent once more: after a wait that the agent asks for, as long as the rule has time left, or after a lost connection. */
export class RetryWaits {
  readonly #onWait: (ms: number) => void;
  readonly #sleep: Sleep;
  #leftMs = mostMs;
  #repeatsLost = false;

  /**
   * @param onWait called with the length of each wait before it begins
   * @param sleep waits so many milliseconds, unless the signal is aborted: then it rejects
   */
  constructor(onWait: (ms: number) => void = () => {}, sleep: Sleep = (ms, signal) => setTimeout(ms, undefined, { signal })) {
    this.#onWait = onWait;
    this.#sleep = sleep;
  }

  /** The next rule begins. @param repeatsLost whether a request whose connection is lost is sent once more */
  renew(repeatsLost = false): void {
    this.#leftMs = mostMs;
    this.#repeatsLost = repeatsLost;
  }

  /** True if the request is sent once more after the error: a server may close an idle connection at the moment that it goes over it. */
  repeats(error: unknown): boolean {
    return this.#repeatsLost && error instanceof ConnectionProblem && error.code === 'connection-lost';
  }

  /** See `retryAfter`; that is then no longer left. Undefined where it is more than is left, too. */
  take(response: Pick<HttpResponse, 'status' | 'headers'>): number | undefined {
    const ms = retryAfter(response);
    if (ms === undefined || ms > this.#leftMs) return undefined;
    this.#leftMs -= ms;
    return ms;
  }

  /** Waits. Rejects once the signal is aborted. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    this.#onWait(ms);
    await this.#sleep(ms, signal);
  }
}
