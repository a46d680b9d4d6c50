import type { IdNames } from '../terminal/printer.ts';

/** Length of a short id, in characters. */
const shortLength = 8;
/** Maximum number of ids with a short form; those after them are shown whole. An agent can send any number. */
const maxShown = 1_000;
/** A UUID (RFC 9562 §4). Ids of other forms, such as `order-2024-17`, mean something as a whole. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** The ids that a conversation has shown: UUIDs are shown by their beginnings, as long as it takes to tell each from those before it. */
export class ShownIds implements IdNames {
  readonly #shown = new Map<string, string>();

  short(id: string): string {
    if (!uuid.test(id)) return id;
    const known = this.#shown.get(id);
    if (known !== undefined) return known;
    if (this.#shown.size >= maxShown) return id;
    let length = shortLength;
    while ([...this.#shown.keys()].some(other => other.startsWith(id.slice(0, length)))) length++;
    const short = id.slice(0, length);
    this.#shown.set(id, short);
    return short;
  }

  /** The id for a short form; any other text unchanged. */
  whole(typed: string): string {
    return [...this.#shown].find(([, short]) => short === typed)?.[0] ?? typed;
  }
}
