import { isBusy, storeIsHeld } from './storeProblem.ts';

interface WaitingWrite {
  readonly work: () => void;
  readonly onError: (error: unknown) => void;
  /** By `performance.now()`; whoever waits for it hears then that it came to nothing. */
  readonly until: number;
}

/** Most writes that wait. Streams are not read meanwhile, so that a few of each are all there are. */
const mostWaiting = 2_000;
/** How long writes are made up for before others have their turn, in milliseconds. */
const slice = 10;
/** Between two attempts, in milliseconds: at first, and when the lock has been held for so long. */
const soon = 5;
const later = 25;
const long = 1_000;
/** How long somebody waits for a write of theirs, in milliseconds. */
const longest = 60_000;

/**
 * Writes that wait while another process has the history's lock, so that the thread does not: in the order they were asked for, and
 * whatever else would be written meanwhile is refused as `history-busy`, so that nothing overtakes them.
 */
export class WaitingWrites {
  readonly #waiting: WaitingWrite[] = [];
  readonly #listeners = new Set<(busy: boolean) => void>();
  #writing = false;
  /** Writes that the one that has its turn asked for, and that wait right behind it. */
  #behind = 0;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #settled: PromiseWithResolvers<void> | undefined;

  /** True where a write would overtake one that waits. */
  get holdsBack(): boolean {
    return this.#waiting.length > 0 && !this.#writing;
  }

  /** Resolves when nothing waits any more; undefined where nothing does. */
  get settled(): Promise<void> | undefined {
    return this.#settled?.promise;
  }

  /** Hears when writes begin to wait, and when none waits any more. Returns what ends that. */
  onDidChange(listener: (busy: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Does the work at once where that is possible, and otherwise in its turn; returns whether it is done. The first write in it is the only one
   * that another process may keep from happening: the work begins anew then. Throws what the work throws, and `history-busy` where too
   * much waits already; `onError` hears what goes wrong later.
   */
  inTurn(work: () => void, onError: (error: unknown) => void): boolean {
    return this.#add({ work, onError, until: Infinity });
  }

  /** Does the work in a later turn of the event loop, in its order. Throws `history-busy` where too much waits already. */
  afterwards(work: () => void, onError: (error: unknown) => void): void {
    this.#wait({ work, onError, until: Infinity }, 0);
  }

  /** The same for somebody who waits. Rejects with `history-busy` after 60 s. */
  patiently<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#add({ work: () => resolve(work()), onError: reject, until: performance.now() + longest });
    });
  }

  /** Does the work before whatever waits. */
  ahead(work: () => void): void {
    this.#writing = true;
    this.#behind = 0;
    try {
      work();
    } finally {
      this.#writing = false;
    }
  }

  /** Makes up for what waits as far as that goes, without anybody's turn in between: nothing comes afterwards. */
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
    if (this.#waiting.length >= mostWaiting) throw storeIsHeld();
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

  /** False where it has to wait on. */
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
