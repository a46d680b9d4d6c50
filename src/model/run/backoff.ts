import { setTimeout } from 'node:timers/promises';

/** Waits between attempts, in milliseconds, with full jitter: many clients of one agent do not come back at the same moment. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  #attempt = 0;

  constructor({
    firstMs,
    maxMs,
    random = Math.random,
  }: { readonly firstMs: number; readonly maxMs: number; readonly random?: () => number }) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#random = random;
  }

  /** The next wait: a random time up to the first wait doubled with each attempt, and up to the longest wait. */
  next(): number {
    const ceiling = Math.min(this.#maxMs, this.#firstMs * 2 ** this.#attempt);
    this.#attempt++;
    return ceiling * this.#random();
  }

  reset(): void {
    this.#attempt = 0;
  }

  /**
   * Resolves to false, at once, when `signal` is aborted; `hurry` ends the wait early. `onWait` gets its length, which is at least `leastMs`
   * as far as the longest wait allows. The timer keeps the process alive, because in a terminal nothing else does meanwhile.
   */
  async wait(signal: AbortSignal, hurry?: AbortSignal, onWait?: (ms: number) => void, leastMs = 0): Promise<boolean> {
    const ms = Math.max(this.next(), Math.min(leastMs, this.#maxMs));
    onWait?.(ms);
    try {
      await setTimeout(ms, undefined, { signal: hurry === undefined ? signal : AbortSignal.any([signal, hurry]) });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (hurry?.aborted === true) return true;
      throw error;
    }
  }
}
