import { setTimeout } from 'node:timers/promises';
import type { HttpResponse } from '../../client/http/httpResponse.ts';

/** Longest time that is waited within one rule, in milliseconds. */
const mostMs = 10_000;

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits that agents ask for: a rule's requests are asked once more after them, as long as the rule has time left. */
export class RetryWaits {
  readonly #onWait: (ms: number) => void;
  readonly #sleep: Sleep;
  #leftMs = mostMs;

  /**
   * @param onWait told of each wait before it begins
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

  /**
   * How long an answer of HTTP 429 or 503 says to wait (RFC 9110 §10.2.3), in milliseconds, which is then no longer left; undefined where it says
   * nothing, or more than is left.
   */
  take({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): number | undefined {
    if (status !== 429 && status !== 503) return undefined;
    const ms = millisecondsOf(headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]);
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

/** Seconds, or a date. */
function millisecondsOf(value: string | undefined): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
