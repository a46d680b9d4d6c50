import type { DiskUse } from '../../store/texts/diskUse.ts';
import type { RetentionOptions, RetentionOutcome } from '../../store/changes/retention.ts';
import type { Disposable } from '../emitter.ts';

/** The history as far as its size goes; sizes in bytes. */
interface BoundedHistory {
  readonly disk: DiskUse;
  content(): Promise<number>;
  retain(options: RetentionOptions): Promise<RetentionOutcome>;
}

export interface SizeBoundOptions {
  readonly history: BoundedHistory;
  /** So much content is kept, in bytes; undefined where that has no bound. */
  readonly most: () => number | undefined;
  /** Hears what had to go. */
  readonly onGone: (gone: RetentionOutcome) => void;
  /** Hears that more is left, in bytes, because nothing more may go. */
  readonly onStuck: (left: number) => void;
  readonly onError: (error: unknown) => void;
  /** How often it is looked whether the history has grown, and after how long again what could not go; milliseconds. */
  readonly timing?: { readonly tick: number; readonly again: number };
}

/** Content is counted anew after so much of what is kept was written at the earliest. */
const step = 1 / 32;

/**
 * Keeps the history within its size while agents write: looks at what it takes on the disk, which is cheap, and counts the content where
 * that could have come to the bound. Each window holds it for itself; what one deletes the other finds gone.
 */
export class SizeBound implements Disposable {
  readonly #options: SizeBoundOptions;
  #timer: NodeJS.Timeout;
  #disposed = false;
  /** What the history has to take for its content to be counted, and when that is done in any case; what was counted for another bound says nothing. */
  #next: { readonly most: number; readonly disk: number; readonly at: number } | undefined;
  /** What was left where that was too much, and since when nothing goes. */
  #over: { readonly left: number; readonly since: number } | undefined;

  constructor(options: SizeBoundOptions) {
    this.#options = options;
    this.#timer = this.#later();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  get #timing(): { readonly tick: number; readonly again: number } {
    return this.#options.timing ?? { tick: 1_000, again: 60_000 };
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), this.#timing.tick).unref();
  }

  async #look(): Promise<void> {
    const { most: wanted, onError } = this.#options;
    try {
      const most = wanted();
      if (most !== undefined) await this.#hold(most);
    } catch (error) {
      onError(error);
    }
    if (!this.#disposed) this.#timer = this.#later();
  }

  async #hold(most: number): Promise<void> {
    const { history, onGone, onStuck } = this.#options;
    const { disk } = history;
    const { again } = this.#timing;
    this.#next = this.#next?.most === most ? this.#next : { most, disk: await disk.measure() <= most ? most : 0, at: Infinity };
    if (disk.now <= this.#next.disk && performance.now() < this.#next.at) return;
    // Before the work, which may fail: then it is tried again after a while.
    this.#next = { most, disk: disk.now + most * step, at: performance.now() + again };
    let left = await history.content();
    let some = false;
    if (left > most) {
      const gone = await history.retain({ bytes: most });
      some = [gone.tasks, gone.contexts, gone.exchanges].some(({ count }) => count > 0);
      if (some) onGone(gone);
      left = await history.content();
    }
    const now = performance.now();
    const before = this.#over;
    this.#over = left <= most ? undefined : { left, since: some ? now : before?.since ?? now };
    // Another window may be at it, or what is of this minute goes in the next one.
    if (this.#over !== undefined && now - this.#over.since >= again) onStuck(left);
    const moves = this.#over !== undefined && (some || left !== before?.left);
    this.#next = { most, disk: await disk.measure() + Math.max(most - left, most * step), at: moves ? now + again : Infinity };
  }
}
