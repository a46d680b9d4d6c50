import type { EntryUpdate } from '../../protocol/message/transcript.ts';
import type { Part } from '../../protocol/message/part.ts';
import { roomAfter } from '../../protocol/json/depth.ts';
import type { Schedule } from './frames.ts';
import type { ChatState } from '../host/chatState.ts';

export interface Batch {
  readonly updates: readonly EntryUpdate[];
  /** The newest state received since the last batch. */
  readonly state: ChatState | undefined;
}

/** Minimum that is drawn in one frame on any machine, as a cost: a code unit of text costs 1. */
const perFrame = 4_000;
/** Time for the updates of one frame, milliseconds: half of a task that a reader would notice. */
const target = 25;
/** Cost of an entry that is put, whatever its content. */
const perEntry = 400;
/** Minimum share of the waiting updates that is drawn in one frame: the panel is never far behind. */
const share = 1 / 6;
/** Bound for entries that are put, as a multiple of `target`: each is drawn as a row of its own. */
const mostTargets = 4;

/**
 * Collects updates of the host and hands them over once a frame, so that the page is rendered at most that often, and no more of it at once
 * than a frame has time for.
 */
export class UpdateQueue {
  readonly #schedule: Schedule;
  readonly #apply: (batch: Batch) => void;
  #updates: EntryUpdate[] = [];
  /** Cost of each waiting update, computed once however many frames it waits. */
  #costs: number[] = [];
  #cost = 0;
  #state: ChatState | undefined;
  #scheduled = false;
  /** Cost that fits into a frame, measured on full frames. */
  #room = perFrame;

  /** `schedule` is `requestAnimationFrame`, or what stands for it where no frames are drawn; it may say how long a drawing took. */
  constructor(schedule: Schedule, apply: (batch: Batch) => void) {
    this.#schedule = schedule;
    this.#apply = apply;
  }

  updates(updates: readonly EntryUpdate[]): void {
    for (const update of updates) {
      const cost = costOf(update);
      this.#updates.push(update);
      this.#costs.push(cost);
      this.#cost += cost;
    }
    this.#soon();
  }

  state(state: ChatState): void {
    this.#state = state;
    this.#soon();
  }

  /** Forgets what has not been applied: the snapshot that follows holds it. */
  clear(): void {
    this.#updates = [];
    this.#costs = [];
    this.#cost = 0;
    this.#state = undefined;
  }

  #soon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    let drawn = 0;
    this.#schedule(
      () => {
        this.#scheduled = false;
        const { updates, cost } = this.#next();
        drawn = cost;
        // A state includes all updates before it.
        const state = this.#updates.length === 0 ? this.#state : undefined;
        if (this.#updates.length === 0) this.#state = undefined;
        else this.#soon();
        this.#apply({ updates, state });
      },
      took => this.#learn(drawn, took),
    );
  }

  #next(): { readonly updates: readonly EntryUpdate[]; readonly cost: number } {
    const costs = this.#costs;
    const room = Math.max(this.#room, this.#cost * share);
    let count = 0;
    let cost = 0;
    let put = 0;
    for (; count < costs.length && (count === 0 || (cost < room && put < this.#room * mostTargets)); count++) {
      cost += costs[count] ?? 0;
      if (this.#updates[count]?.type === 'put') put += costs[count] ?? 0;
    }
    costs.splice(0, count);
    this.#cost -= cost;
    return { updates: this.#updates.splice(0, count), cost };
  }

  /** The time of a small drawing does not predict a full one. Cheap updates may be followed by expensive ones, so the room grows by steps. */
  #learn(drawn: number, took: number): void {
    if (drawn < this.#room / 2) return;
    this.#room = Math.max(perFrame, Math.min((drawn * target) / Math.max(took, 1), this.#room * 2));
  }
}

/** Data and files are drawn at once only as far as they fill a frame. */
const costOfPart = (part: Part): number =>
  'text' in part
    ? part.text.length
    : 'raw' in part
      ? Math.min(part.raw.length, perFrame)
      : perFrame - Math.max(0, roomAfter(part, perFrame));

function costOf(update: EntryUpdate): number {
  const parts =
    update.type === 'append'
      ? update.parts
      : update.entry.kind === 'artifact'
        ? update.entry.artifact.parts
        : update.entry.kind === 'message' || update.entry.kind === 'status'
          ? (update.entry.message?.parts ?? [])
          : [];
  return parts.reduce((sum, part) => sum + costOfPart(part), update.type === 'append' ? 0 : perEntry);
}
