import { isBusy, storeIsHeld } from './storeProblem.ts';

interface WaitingWrite {
  readonly work: () => void;
  readonly onError: (error: unknown) => void;
  /** By `performance.now()`; the write fails at that time. */
  readonly until: number;
}

/** Most writes that wait. Streams are not read meanwhile, so each adds only a few. */
const maxWaiting = 2_000;
/** How long waiting writes are done in one go before other code runs, in milliseconds. */
const slice = 10;
/** Milliseconds between two attempts: `soon` at first, `later` when the lock has been held for `long`. */
const soon = 5;
const later = 25;
const long = 1_000;
/** How long a caller of `patiently` waits for its write, in milliseconds. */
const maxWaitMs = 60_000;

/**
 * Writes that wait, without blocking the thread, while another process has the history's lock. They keep their order. Any other write is
 * refused as `history-busy` meanwhile, so that none overtakes them.
 */
export class WaitingWrites {
  readonly #waiting: WaitingWrite[] = [];
  readonly #listeners = new Set<(busy: boolean) => void>();
  #writing = false;
  /** How many writes the current one has added; they come right after it. */
  #behind = 0;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #settled: PromiseWithResolvers<void> | undefined;

  /** True if a write now would overtake one that waits. */
  get holdsBack(): boolean {
    return this.#waiting.length > 0 && !this.#writing;
  }

  /** Resolves when nothing waits any more; undefined if nothing waits. */
  get settled(): Promise<void> | undefined {
    return this.#settled?.promise;
  }

  /** Called when writes begin to wait, and when none waits any more. Returns a function that removes the listener. */
  onDidChange(listener: (busy: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Does the work at once if possible, and otherwise in its turn; returns whether it is done. Only the first write in the work may fail
   * because of another process's lock: the work then starts again from its beginning. Throws what the work throws, and `history-busy` if too
   * much waits already; `onError` is called with later errors.
   */
  inTurn(work: () => void, onError: (error: unknown) => void): boolean {
    return this.#add({ work, onError, until: Infinity });
  }

  /** Does the work in a later turn of the event loop, in its order. Throws `history-busy` where too much waits already. */
  afterwards(work: () => void, onError: (error: unknown) => void): void {
    this.#wait({ work, onError, until: Infinity }, 0);
  }

  /** The same for a caller that waits. Rejects with `history-busy` after 60 s. */
  patiently<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#add({ work: () => resolve(work()), onError: reject, until: performance.now() + maxWaitMs });
    });
  }

  /** Does the work before everything that waits. */
  ahead(work: () => void): void {
    this.#writing = true;
    this.#behind = 0;
    try {
      work();
    } finally {
      this.#writing = false;
    }
  }

  /** Does as many waiting writes as possible, without pauses: the database is about to be closed. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#makeUp(Infinity);
    clearTimeout(this.#timer);
  }

  #add(write: WaitingWrite): boolean {
    if (this.#writing ? this.#behind === 0 : this.#waiting.length === 0) {
      try {
        write.work();
        return true;
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    this.#wait(write, soon);
    return false;
  }

  #wait(write: WaitingWrite, ms: number): void {
    if (this.#waiting.length >= maxWaiting) throw storeIsHeld();
    if (this.#writing) this.#waiting.splice(++this.#behind, 0, write);
    else this.#waiting.push(write);
    if (this.#settled === undefined) {
      this.#since = performance.now();
      this.#settled = Promise.withResolvers();
      this.#again(ms);
      this.#tell(true);
    }
  }

  #again(ms: number): void {
    this.#timer = setTimeout(() => this.#makeUp(slice), ms);
  }

  #makeUp(most: number): void {
    const end = performance.now() + most;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (!this.#attempt(next)) {
        this.#giveUp();
        this.#again(performance.now() - this.#since > long ? later : soon);
        return;
      }
      this.#waiting.shift();
      if (performance.now() > end && this.#waiting.length > 0) {
        this.#again(0);
        return;
      }
    }
    const settled = this.#settled;
    if (settled === undefined) return;
    this.#settled = undefined;
    settled.resolve();
    this.#tell(false);
  }

  /** False if it has to go on waiting. */
  #attempt({ work, onError }: WaitingWrite): boolean {
    this.#writing = true;
    this.#behind = 0;
    try {
      work();
    } catch (error) {
      if (isBusy(error)) return false;
      onError(error);
    } finally {
      this.#writing = false;
    }
    return true;
  }

  #giveUp(): void {
    const now = performance.now();
    const over = this.#waiting.filter(({ until }) => until <= now);
    for (const write of over) {
      this.#waiting.splice(this.#waiting.indexOf(write), 1);
      write.onError(storeIsHeld());
    }
  }

  #tell(busy: boolean): void {
    for (const listener of this.#listeners) listener(busy);
  }
}
