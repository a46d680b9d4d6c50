import type { CheckEnd } from './checkReport.ts';

/** Bounds of one run: the most requests that it sends, and the longest time that it takes, in milliseconds. */
export interface CheckBounds {
  readonly requests: number;
  readonly ms: number;
}

/** An interface takes about a hundred requests. Agents that think for half a minute are asked some twenty times to work, over each interface. */
export const checkBounds: CheckBounds = { requests: 2_000, ms: 30 * 60_000 };

/** Ends a run at its bounds: whatever the card offers and however the agent answers. */
export class CheckLimit {
  /** Aborted where a bound is reached, and where the run is stopped. */
  readonly signal: AbortSignal;
  readonly #reached = new AbortController();
  readonly #asked = new Set<string>();
  readonly #requests: number;
  readonly #timer: NodeJS.Timeout;

  constructor({ requests, ms }: CheckBounds, stop: AbortSignal) {
    this.#requests = requests;
    this.#timer = setTimeout(() => this.#reached.abort('time' satisfies CheckEnd), ms);
    this.signal = AbortSignal.any([stop, this.#reached.signal]);
  }

  /** Counts a request by the id of its exchange, before it is sent; a repeated id counts once. A request over the limit is not sent. */
  asks(id: string): void {
    if (this.#asked.add(id).size > this.#requests) this.#reached.abort('requests' satisfies CheckEnd);
  }

  /** Which bound was reached; undefined where none was. */
  get end(): CheckEnd | undefined {
    return this.#reached.signal.reason as CheckEnd | undefined;
  }

  /** The run is over. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
