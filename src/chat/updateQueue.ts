import type { EntryUpdate } from '../protocol/transcript.ts';
import type { ChatState } from './messages.ts';

export interface Batch {
  readonly updates: readonly EntryUpdate[];
  /** The newest state told since the last batch. */
  readonly state: ChatState | undefined;
}

/** Collects what the host tells and hands it over once a frame, so that the page is rendered at most that often. */
export class UpdateQueue {
  readonly #schedule: (run: () => void) => void;
  readonly #apply: (batch: Batch) => void;
  #updates: EntryUpdate[] = [];
  #state: ChatState | undefined;
  #scheduled = false;

  /** `schedule` is `requestAnimationFrame`, or what stands for it where no frames are drawn. */
  constructor(schedule: (run: () => void) => void, apply: (batch: Batch) => void) {
    this.#schedule = schedule;
    this.#apply = apply;
  }

  updates(updates: readonly EntryUpdate[]): void {
    for (const update of updates) this.#updates.push(update);
    this.#soon();
  }

  state(state: ChatState): void {
    this.#state = state;
    this.#soon();
  }

  /** Forgets what has not been applied: the snapshot that follows holds it. */
  clear(): void {
    this.#updates = [];
    this.#state = undefined;
  }

  #soon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#schedule(() => {
      this.#scheduled = false;
      const batch = { updates: this.#updates, state: this.#state };
      this.clear();
      this.#apply(batch);
    });
  }
}
