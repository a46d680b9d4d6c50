import { batch, signal } from '@preact/signals';
import type { HostRequests } from '../host/hostRequests.ts';
import type { Requests } from '../host/messages.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** Maximum wait between two events, in milliseconds: a longer silence is skipped by stepping. */
const maxWait = 60_000;
export const replaySpeeds: readonly number[] = [1, 2, 5, 20];

/** A stream that is stepped through. */
interface ReplayState {
  readonly exchangeId: string;
  /** Number of events that have been applied, and of all. */
  readonly position: number;
  readonly total: number;
  readonly playing: boolean;
  /** Times as fast as it came. */
  readonly speed: number;
}

interface ReplayerNeeds {
  readonly host: HostRequests;
  readonly transcript: Transcript;
  /** Arrival time of each event, in order, milliseconds since the epoch. Rejects with a `HostError`. */
  readonly timesOf: (exchangeId: string) => Promise<readonly number[]>;
  /** Shows the conversation as it is again. */
  readonly leave: () => Promise<void>;
}

/** Applies the events of an ended stream one by one: the conversation on show is the one of that moment. */
export class Replayer {
  /** Undefined while the conversation is shown as it is. */
  readonly state = signal<ReplayState | undefined>(undefined);
  readonly #needs: ReplayerNeeds;
  #times: readonly number[] = [];
  /** The conversation before the stream. */
  #before: Requests['older']['result'] = { entries: [], more: false };
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Steps are taken one after the other: each builds on the one before. */
  #last: Promise<void> = Promise.resolve();

  constructor(needs: ReplayerNeeds) {
    this.#needs = needs;
  }

  /** Begins before the first event of a stream. */
  async start(exchangeId: string): Promise<void> {
    await this.#try(async () => {
      const [times, { first }] = await Promise.all([
        this.#needs.timesOf(exchangeId),
        this.#needs.host.request('replay', { exchangeId, to: 0 }),
      ]);
      const before = await this.#needs.host.request('older', { before: first });
      this.#times = times;
      this.#before = before;
      batch(() => {
        this.state.value = { exchangeId, position: 0, total: times.length, playing: false, speed: 1 };
        this.#needs.transcript.load(before.entries, before.more);
      });
    });
  }

  /** Plays on, from the beginning where all events were applied. */
  async play(): Promise<void> {
    const state = this.state.peek();
    if (state === undefined) return;
    if (state.position >= state.total) await this.goTo(0);
    this.#change({ playing: true });
    this.#wait();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#change({ playing: false });
  }

  step(by: 1 | -1): Promise<void> {
    this.pause();
    return this.goTo((this.state.peek()?.position ?? 0) + by);
  }

  set speed(speed: number) {
    this.#change({ speed });
    if (this.state.peek()?.playing === true) this.#wait();
  }

  /** Applies events of the stream up to this number. */
  goTo(wanted: number): Promise<void> {
    this.#last = this.#last.then(() =>
      this.#try(async () => {
        const state = this.state.peek();
        if (state === undefined) return;
        const { exchangeId, position, total } = state;
        const to = Math.min(total, Math.max(0, wanted));
        if (to === position) return;
        const back = to < position;
        const { updates } = await this.#needs.host.request('replay', back ? { exchangeId, to } : { exchangeId, from: position, to });
        if (this.state.peek()?.exchangeId !== exchangeId) return;
        batch(() => {
          if (back) this.#needs.transcript.load(this.#before.entries, this.#before.more);
          this.#needs.transcript.apply(updates);
          this.#change({ position: to });
        });
      }),
    );
    return this.#last;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.state.peek() === undefined) return;
    this.state.value = undefined;
    await this.#needs.leave();
  }

  /** Until the next event. */
  #wait(): void {
    clearTimeout(this.#timer);
    const state = this.state.peek();
    if (state?.playing !== true) return;
    const { position, total, speed } = state;
    if (position >= total) {
      this.#change({ playing: false });
      return;
    }
    const gap = position === 0 ? 0 : (this.#times[position] ?? 0) - (this.#times[position - 1] ?? 0);
    this.#timer = setTimeout(() => void this.goTo(position + 1).then(() => this.#wait()), Math.min(maxWait, Math.max(0, gap)) / speed);
  }

  #change(change: Partial<ReplayState>): void {
    const state = this.state.peek();
    if (state !== undefined) this.state.value = { ...state, ...change };
  }

  async #try(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#change({ playing: false });
      this.#needs.host.fail(error);
    }
  }
}
