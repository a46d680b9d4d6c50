/** If two calls that should follow quickly are further apart than this, the machine has slept; in milliseconds. */
const shortestSleep = 30_000;

/**
 * Notices that the machine has slept, or was stopped: timers stand still meanwhile, the clock does not. A clock that was set forward looks the
 * same; one that was set back is ignored.
 */
export class SleepWatch {
  readonly #interval: number;
  #last: number;

  /** `interval`: how often it is asked, in milliseconds; `now`: milliseconds since the epoch. */
  constructor(interval: number, now: number) {
    this.#interval = interval;
    this.#last = now;
  }

  /** True if the machine has slept since the last call. */
  hasSlept(now: number): boolean {
    const passed = now - this.#last;
    this.#last = now;
    return passed - this.#interval > shortestSleep;
  }
}
