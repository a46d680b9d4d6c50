import { setTimeout } from 'node:timers/promises';
import type { HttpResponse } from '../../client/http/httpResponse.ts';
import { retryAfter } from '../../client/http/retryAfter.ts';

/** Longest time that is waited within one rule, in milliseconds. */
const mostMs = 10_000;

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits that agents ask for: a rule's requests are asked once more after them, as long as the rule has time left. */
export class RetryWaits {
  readonly #onWait: (ms: number) => void;
  readonly #sleep: Sleep;
  #leftMs = mostMs;

  /**
   * @param onWait called with the length of each wait before it begins
   * @param sleep waits so many milliseconds, unless the signal is aborted: then it rejects
   */
  constructor(onWait: (ms: number) => void = () => {}, sleep: Sleep = (ms, signal) => setTimeout(ms, undefined, { signal })) {
    this.#onWait = onWait;
    this.#sleep = sleep;
  }

  /** The next rule begins. */
  renew(): void {
    this.#leftMs = mostMs;
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
