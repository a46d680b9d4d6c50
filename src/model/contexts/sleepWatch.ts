/** More than this between two looks that should have come in quick succession, and the machine has slept; in milliseconds. */
const shortestSleep = 30_000;

/**
 * Notices that the machine has slept, or was stopped: timers stand still meanwhile, the clock does not. A clock that was put forward looks
 * the same; one that was put back is passed over.
 */
export class SleepWatch {
  readonly #interval: number;
  #last: number;

  /** `interval`: how often it is asked, in milliseconds; `now`: milliseconds since the epoch. */
  constructor(interval: number, now: number) {
    this.#interval = interval;
    this.#last = now;
  }

  /** True where the machine has slept since the last time it was asked. */
  hasSlept(now: number): boolean {
    const passed = now - this.#last;
    this.#last = now;
    return passed - this.#interval > shortestSleep;
  }
}
