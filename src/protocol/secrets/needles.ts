import { begunEscape, decoded } from './decodedText.ts';

/** A text that is searched for. */
export interface SearchText {
  /** At least four characters. */
  readonly text: string;
  /** Also matches in other case. */
  readonly anyCase?: boolean;
  /** Matches only without a letter, digit or underscore next to it. */
  readonly word?: boolean;
}

/** A match, as a range of the text. */
export interface Hit<Kind> {
  readonly from: number;
  readonly to: number;
  readonly needle: Kind;
}

/** Length of the prefix by which needles are indexed, in characters. */
const gram = 4;
const beside = /[\p{L}\p{N}_]/u;

/**
 * Searches for many texts at once, plain and escaped: one pass over the text, and one over what its escapes stand for, however many needles
 * there are.
 */
export class MultiTextSearch<Kind extends SearchText = SearchText> {
  /** Shift per character in the rolling hash of four characters, in bits. */
  readonly #shift: number;
  readonly #mayBegin: Uint8Array;
  readonly #buckets = new Map<number, Kind[]>();
  /** Prefixes of one to three characters of the needles, in lower case for those with `anyCase`. */
  readonly #beginnings = new Set<string>();
  readonly #known = new Set<string>();
  #longest = 0;

  /** @param many set for thousands of needles, which are worth a larger table. */
  constructor({ many = false }: { readonly many?: boolean } = {}) {
    this.#shift = many ? 4 : 3;
    this.#mayBegin = new Uint8Array(1 << (this.#shift * gram));
  }

  get size(): number {
    return this.#known.size;
  }

  /** Adds a needle; of several with the same text, the first is kept. */
  add(needle: Kind): void {
    const { text, anyCase = false } = needle;
    if (text.length < gram || this.#known.has(text)) return;
    this.#known.add(text);
    const lower = lowered(text);
    const slot = this.#slotOf(lower, 0);
    this.#mayBegin[slot] = 1;
    const bucket = this.#buckets.get(slot);
    const kept = anyCase ? { ...needle, text: lower } : needle;
    if (bucket === undefined) this.#buckets.set(slot, [kept]);
    else bucket.push(kept);
    for (let length = 1; length < gram; length++) this.#beginnings.add(kept.text.slice(0, length));
    this.#longest = Math.max(this.#longest, text.length);
  }

  /** All matches, in text order and without overlaps. */
  findIn(text: string): readonly Hit<Kind>[] {
    if (this.#longest === 0) return [];
    const plain = this.#plainIn(text);
    const unescaped = decoded(text);
    if (unescaped === undefined) return plain;
    const all = [...plain];
    for (const { from, to, needle } of this.#plainIn(unescaped.text)) {
      const [first, last] = unescaped.source(from, to);
      all.push({ from: first, to: last, needle });
    }
    all.sort((one, other) => one.from - other.from || other.to - one.to);
    const apart: Hit<Kind>[] = [];
    for (const hit of all) {
      const last = apart.at(-1);
      if (last === undefined || hit.from >= last.to) apart.push(hit);
      else if (hit.to > last.to) apart[apart.length - 1] = { ...last, to: hit.to };
    }
    return apart;
  }

  /**
   * How many characters at the end of a text may be the beginning of a needle whose rest has not arrived yet.
   * @param least shorter beginnings do not count.
   */
  pendingIn(text: string, least = 1): number {
    if (this.#longest === 0) return 0;
    // Long enough for a needle in which every character is an escape of six characters.
    const tail = text.slice(-this.#longest * 6);
    const open = begunEscape(tail);
    const closed = tail.slice(0, tail.length - open);
    const unescaped = decoded(closed);
    const at = this.#beginningAtEnd(closed, least) ?? closed.length;
    const decodedAt = unescaped && this.#beginningAtEnd(unescaped.text, least);
    const first = decodedAt === undefined ? at : Math.min(at, unescaped!.source(decodedAt, unescaped!.text.length)[0]);
    const pending = tail.length - first;
    return pending < least ? 0 : pending;
  }

  /**
   * How many characters at the start of a text may be the end of a needle.
   * @param least shorter ends do not count.
   */
  endedIn(text: string, least: number): number {
    const start = text.slice(0, least);
    let longest = 0;
    if (start.length < least) return 0;
    for (const bucket of this.#buckets.values()) {
      for (const { text: needle } of bucket) {
        for (let at = needle.indexOf(start); at !== -1; at = needle.indexOf(start, at + 1)) {
          if (needle.length - at > longest && text.startsWith(needle.slice(at))) longest = needle.length - at;
        }
      }
    }
    return longest;
  }

  #plainIn(text: string): readonly Hit<Kind>[] {
    const hits: Hit<Kind>[] = [];
    const lower = lowered(text);
    const shift = this.#shift;
    const last = this.#mayBegin.length - 1;
    let slot = 0;
    for (let at = 0, first = 0; at < lower.length; at++) {
      slot = ((slot << shift) + lower.charCodeAt(at)) & last;
      const from = at - gram + 1;
      if (this.#mayBegin[slot] === 0 || from < first) continue;
      const needle = this.#longestAt(text, lower, from, slot);
      if (needle === undefined) continue;
      first = from + needle.text.length;
      hits.push({ from, to: first, needle });
      at = first - 1;
    }
    return hits;
  }

  #longestAt(text: string, lower: string, from: number, slot: number): Kind | undefined {
    let found: Kind | undefined;
    for (const needle of this.#buckets.get(slot) ?? []) {
      if (found !== undefined && found.text.length >= needle.text.length) continue;
      if (!(needle.anyCase === true ? lower : text).startsWith(needle.text, from)) continue;
      if (needle.word === true && (beside.test(characterBefore(text, from)) || beside.test(characterAt(text, from + needle.text.length))))
        continue;
      found = needle;
    }
    return found;
  }

  /** Start of the longest prefix of a needle that the text ends with. */
  #beginningAtEnd(text: string, least: number): number | undefined {
    const start = Math.max(0, text.length - this.#longest + 1);
    const lower = lowered(text);
    for (let at = start; at <= text.length - least; at++) {
      const rest = text.length - at;
      if (
        rest < gram
          ? this.#beginnings.has(text.slice(at)) || this.#beginnings.has(lower.slice(at))
          : this.#mayBegin[this.#slotOf(lower, at)] === 1 && this.#begins(text, lower, at)
      )
        return at;
    }
    return undefined;
  }

  #begins(text: string, lower: string, at: number): boolean {
    const [rest, lowerRest] = [text.slice(at), lower.slice(at)];
    return this.#buckets
      .get(this.#slotOf(lower, at))!
      .some(
        ({ text: needle, anyCase, word }) =>
          needle.length > rest.length &&
          needle.startsWith(anyCase === true ? lowerRest : rest) &&
          !(word === true && beside.test(characterBefore(text, at))),
      );
  }

  /** Hash of the four characters at `at`; characters before them have been shifted out. */
  #slotOf(text: string, at: number): number {
    let slot = 0;
    for (let index = at; index < at + gram; index++) slot = ((slot << this.#shift) + text.charCodeAt(index)) & (this.#mayBegin.length - 1);
    return slot;
  }
}

/** Lower case with the same number of characters, so that offsets stay valid. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]/g, letter => letter.toLowerCase());
}

const characterBefore = (text: string, at: number): string => [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
const characterAt = (text: string, at: number): string => [...text.slice(at, at + 2)][0] ?? '';
