import { batch, computed, signal } from '@preact/signals';
import type { Channel } from '../host/channel.ts';
import { findPattern, type FoundEntry } from '../host/messages.ts';
import type { FindQuery } from '../host/requests.ts';

/** Delay between a key and its search, and between two searches while entries arrive, in milliseconds. */
const typing = 120;
const arriving = 1_000;
/** Maximum number of occurrences counted; the panel then shows that there are more. */
const maxFound = 10_000;

/** One occurrence: its entry, and its index within the entry. */
export interface Occurrence {
  readonly seq: number;
  readonly nth: number;
}

/** The search in the whole context: query, occurrences, and the current one. */
export class Finder {
  /** Undefined while the find bar is closed. */
  readonly query = signal<FindQuery | undefined>(undefined);
  /** Entries with occurrences, oldest first, as far as the history was searched. */
  readonly found = signal<readonly FoundEntry[]>([]);
  readonly searching = signal(false);
  /** There are more occurrences than `maxFound`. */
  readonly cut = signal(false);
  readonly current = signal<Occurrence | undefined>(undefined);
  readonly total = computed(() => this.found.value.reduce((sum, { times }) => sum + times, 0));
  /** Position of the current occurrence, from 1; undefined before the first jump. */
  readonly position = computed(() => {
    const current = this.current.value;
    const index = current === undefined ? -1 : this.found.value.findIndex(({ seq }) => seq === current.seq);
    if (current === undefined || index < 0) return undefined;
    return this.found.value.slice(0, index).reduce((sum, { times }) => sum + times, 0) + current.nth + 1;
  });
  /** The query as a pattern; undefined where it is empty. */
  readonly pattern = computed(() => {
    const query = this.query.value;
    return query === undefined || query.text.trim() === '' ? undefined : findPattern(query);
  });
  /** Place of the current occurrence in a document, when it is in a part of the text that the page does not draw. */
  readonly undrawn = signal<(Occurrence & { readonly part: number; readonly line: number }) | undefined>(undefined);
  /** Counts requests to focus the find bar. */
  readonly focusWanted = signal(0);
  readonly #channel: Channel;
  readonly #fail: (error: unknown) => void;
  #kept: FindQuery = { text: '', matchCase: false };
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(channel: Channel, fail: (error: unknown) => void) {
    this.#channel = channel;
    this.#fail = fail;
  }

  /** Opens the bar with these words, or with the last query. */
  open(words = ''): void {
    batch(() => {
      if (words !== '') this.#look({ ...(this.query.peek() ?? this.#kept), text: words }, 0);
      else if (this.query.peek() === undefined) this.#look(this.#kept, 0);
      this.focusWanted.value++;
    });
  }

  close(): void {
    this.#kept = this.query.peek() ?? this.#kept;
    this.#stop();
    batch(() => {
      this.query.value = undefined;
      this.found.value = [];
      this.current.value = undefined;
      this.undrawn.value = undefined;
      this.searching.value = false;
    });
  }

  look(change: Partial<FindQuery>): void {
    this.#look({ ...(this.query.peek() ?? this.#kept), ...change }, typing);
  }

  /** Searches again soon, because entries arrived or changed. */
  refresh(): void {
    if (this.pattern.peek() === undefined || this.#timer !== undefined || this.searching.peek()) return;
    this.#timer = setTimeout(() => void this.#search(), arriving);
  }

  /**
   * The next or previous occurrence, wrapping around. Without a current one, the last occurrence at or before the entry `near`, which is
   * visible to the reader.
   */
  step(by: 1 | -1, near: number | undefined): Occurrence | undefined {
    const found = this.found.peek();
    const current = this.current.peek();
    if (found.length === 0) return undefined;
    const next = current === undefined ? lastAtOrBefore(found, near) : after(found, current, by);
    this.current.value = next;
    this.undrawn.value = undefined;
    return next;
  }

  /** Finds the document of an occurrence that is not drawn. */
  async findLine(occurrence: Occurrence): Promise<void> {
    const query = this.query.peek();
    if (query === undefined) return;
    try {
      const place = await this.#channel.request('findLine', { ...query, ...occurrence });
      if (place !== null && this.current.peek() === occurrence) this.undrawn.value = { ...occurrence, ...place };
    } catch (error) {
      this.#fail(error);
    }
  }

  #look(query: FindQuery, delay: number): void {
    const same = this.query.peek()?.text === query.text && this.query.peek()?.matchCase === query.matchCase;
    if (same) return;
    this.#stop();
    batch(() => {
      this.query.value = query;
      this.current.value = undefined;
      this.undrawn.value = undefined;
      this.searching.value = query.text.trim() !== '';
      if (query.text.trim() === '') this.found.value = [];
    });
    if (query.text.trim() !== '') this.#timer = setTimeout(() => void this.#search(), delay);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#round++;
  }

  async #search(): Promise<void> {
    this.#stop();
    const round = this.#round;
    const query = this.query.peek();
    if (query === undefined) return;
    this.searching.value = true;
    let found: readonly FoundEntry[] = [];
    let total = 0;
    try {
      for (let before: number | undefined, more = true; more && total < maxFound; ) {
        const answer = await this.#channel.request('find', before === undefined ? query : { ...query, before });
        if (round !== this.#round) return;
        found = [...answer.found, ...found];
        total += answer.found.reduce((sum, { times }) => sum + times, 0);
        before = answer.next;
        more = before !== undefined;
        const enough = more && total >= maxFound;
        batch(() => {
          // Earlier results stay shown until the new search is complete.
          if (!more || enough || this.current.peek() === undefined) this.found.value = found;
          this.cut.value = enough;
        });
      }
    } catch (error) {
      this.#fail(error);
    }
    this.searching.value = false;
  }
}

function lastAtOrBefore(found: readonly FoundEntry[], near: number | undefined): Occurrence | undefined {
  const entry = found.findLast(({ seq }) => near === undefined || seq <= near) ?? found[0];
  return entry && { seq: entry.seq, nth: near === undefined || entry.seq <= near ? entry.times - 1 : 0 };
}

function after(found: readonly FoundEntry[], { seq, nth }: Occurrence, by: 1 | -1): Occurrence | undefined {
  const index = found.findIndex(entry => entry.seq === seq);
  const times = found[index]?.times ?? 0;
  if (index >= 0 && nth + by >= 0 && nth + by < times) return { seq, nth: nth + by };
  // The current entry was removed: continue from its place.
  const place = index >= 0 ? index + by : found.findIndex(entry => entry.seq > seq) - (by < 0 ? 1 : 0);
  const next = found[(place + found.length) % found.length];
  return next && { seq: next.seq, nth: by > 0 ? 0 : next.times - 1 };
}
