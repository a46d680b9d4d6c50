import type { DiskUse } from '../../store/database/diskUse.ts';
import type { RetentionOptions, RetentionOutcome } from '../../store/changes/retention.ts';
import type { Disposable } from '../emitter.ts';

/** The history, as far as its size is concerned; sizes in bytes. */
interface BoundedHistory {
  readonly disk: DiskUse;
  content(): Promise<number>;
  retain(options: RetentionOptions): Promise<RetentionOutcome>;
}

export interface SizeBoundOptions {
  readonly history: BoundedHistory;
  /** How much content is kept, in bytes; undefined: no bound. */
  readonly most: () => number | undefined;
  /** Called with what was deleted. */
  readonly onGone: (gone: RetentionOutcome) => void;
  /** Called with the number of bytes that are left if that is too much and nothing more may be deleted. */
  readonly onStuck: (left: number) => void;
  readonly onError: (error: unknown) => void;
  /** How often the size of the history is checked, and after how long with nothing more to delete `onStuck` is called; milliseconds. */
  readonly timing?: { readonly tick: number; readonly again: number };
}

/** Content is counted again at the earliest after this share of the bound was written. */
const step = 1 / 32;

/**
 * Keeps the history within its size while agents write. It checks the size on the disk, which is cheap, and counts the content only if that
 * could have reached the bound. Each window does this for itself; content that one window has deleted is gone for the others.
 */
export class SizeBound implements Disposable {
  readonly #options: SizeBoundOptions;
  #timer: NodeJS.Timeout;
  #disposed = false;
  /** Disk size and time at which the content is counted again, and how much may be written until then; valid for one bound. */
  #next: { readonly most: number; readonly disk: number; readonly room: number; readonly at: number } | undefined;
  /** How much was left when that was too much, and since when nothing can be deleted. */
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
    const { room, at, ...before } =
      this.#next?.most === most ? this.#next : { most, disk: disk.now <= most ? most : 0, room: most, at: Infinity };
    // Another window may have been deleting while the content was counted here: what it gave back is no room.
    this.#next = { most, disk: Math.min(before.disk, disk.now + room), room, at };
    if (disk.now <= this.#next.disk && performance.now() < this.#next.at) return;
    // Before the work, which may fail: then it is tried again after a while.
    this.#next = { most, disk: disk.now + most * step, room: most * step, at: performance.now() + again };
    let left = await history.content();
    let some = false;
    if (left > most) {
      const gone = await history.retain({ bytes: most });
      some = [gone.tasks, gone.contexts, gone.exchanges].some(({ count }) => count > 0);
      if (some) onGone(gone);
      left = await history.content();
    }
    const now = performance.now();
    const over = this.#over;
    this.#over = left <= most ? undefined : { left, since: some ? now : (over?.since ?? now) };
    // At first this may pass: another window may be deleting, or content of the last minute can be deleted next time.
    if (this.#over !== undefined && now - this.#over.since >= again) onStuck(left);
    const moves = this.#over !== undefined && (some || left !== over?.left);
    const more = Math.max(most - left, most * step);
    this.#next = { most, disk: disk.now + more, room: more, at: moves ? now + again : Infinity };
  }
}
