import { setTimeout } from 'node:timers/promises';
import { cancelled } from '../http/connectionProblem.ts';

/** Timing of the task API's client, in milliseconds. */
export interface TaskRestTiming {
  /** First interval between two polls; each is longer than the one before, up to the longest. */
  readonly firstPoll: number;
  readonly pollGrowth: number;
  readonly maxPollMs: number;
  /** Longest wait for the WebSocket to open; after it the task is posted without. */
  readonly opening: number;
  /** The task is polled after this long without a message on its WebSocket. */
  readonly silence: number;
  /** Longest message of a WebSocket, in bytes. */
  readonly maxPayload: number;
  /** Rejects with a `Problem` when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const taskRestTiming: TaskRestTiming = {
  firstPoll: 250,
  pollGrowth: 1.6,
  maxPollMs: 5_000,
  opening: 3_000,
  silence: 5_000,
  maxPayload: 16 * 1024 * 1024,
  sleep: async (ms, signal) => {
    try {
      await setTimeout(ms, undefined, { signal });
    } catch (error) {
      throw signal.aborted ? cancelled('yes', error) : error;
    }
  },
};

/** The intervals between the polls for one task. */
export class PollIntervals {
  readonly #timing: TaskRestTiming;
  #next: number;

  constructor(timing: TaskRestTiming) {
    this.#timing = timing;
    this.#next = timing.firstPoll;
  }

  next(): number {
    const wait = this.#next;
    this.#next = Math.min(this.#timing.maxPollMs, wait * this.#timing.pollGrowth);
    return wait;
  }

  reset(): void {
    this.#next = this.#timing.firstPoll;
  }
}
