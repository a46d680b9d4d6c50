import type { EntryUpdate } from '../protocol/transcript.ts';
import type { ChatState } from './messages.ts';

export interface Batch {
  readonly updates: readonly EntryUpdate[];
  /** The newest state told since the last batch. */
  readonly state: ChatState | undefined;
}

/** So much of what waits is drawn in one frame, as a cost of its own kind: a code unit of text is 1. */
const perFrame = 4_000;
/** What an entry costs that is put, whatever is in it. */
const perEntry = 400;
/** Where more waits, this share of it is drawn in one frame: the panel is never far behind. */
const share = 1 / 6;

/**
 * Collects what the host tells and hands it over once a frame, so that the page is rendered at most that often, and no more of it at once
 * than a frame has time for.
 */
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
      const updates = this.#nextUpdates();
      // A state belongs to all that was told before it.
      const state = this.#updates.length === 0 ? this.#state : undefined;
      if (this.#updates.length === 0) this.#state = undefined;
      else this.#soon();
      this.#apply({ updates, state });
    });
  }

  #nextUpdates(): readonly EntryUpdate[] {
    const costs = this.#updates.map(costOf);
    const room = Math.max(perFrame, costs.reduce((sum, cost) => sum + cost, 0) * share);
    let count = 0;
    for (let spent = 0; count < costs.length && (count === 0 || spent < room); count++) spent += costs[count] ?? 0;
    return this.#updates.splice(0, count);
  }
}

function costOf(update: EntryUpdate): number {
  const parts = update.type === 'append' ? update.parts
    : update.entry.kind === 'artifact' ? update.entry.artifact.parts : update.entry.kind === 'message' || update.entry.kind === 'status' ? update.entry.message?.parts ?? [] : [];
  return parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), update.type === 'append' ? 0 : perEntry);
}
