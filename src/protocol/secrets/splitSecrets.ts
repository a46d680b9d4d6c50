import { isCutSecret } from './cutSecrets.ts';
import { crossBorders, textsIn, maskSpans, replaceTexts, type JsonString, type Span } from './jsonTexts.ts';
import { mask } from './secretValues.ts';

/** Finds secret values in texts. */
export interface SecretFinder {
  /** Ranges of secret values in a text, in order. */
  spansIn(text: string): readonly Span[];
  /** How many characters at the end of a text may be the beginning of a secret value whose rest has not arrived yet. */
  pendingIn(text: string): number;
}

/** An item of a stream, and its JSON. */
interface Entry<Item> {
  item: Item;
  data: string;
  /** Number of its texts whose end is held back. */
  holds: number;
}

/** Characters at the end of a text in an entry. `entry` is undefined where they were already delivered. */
interface Piece<Item> {
  readonly entry: Entry<Item> | undefined;
  readonly text: string;
  /** How many texts of the entry follow it. */
  readonly after: number;
}

/**
 * A beginning of fewer characters is too common by chance to be masked. One less than this is remembered from each text that was delivered,
 * so that the rest of a value after it can be masked.
 */
const few = 4;
/** How long beginnings of fewer than `few` characters, and longer ones, are held back, in milliseconds. */
const [shortWait, longWait] = [300, 2000];
/** Longest secret value in any encoding, in characters. */
const maxRestLength = 128 * 1024;
/** Most entries, and most characters of JSON, that are held back. */
const maxEntries = 256;
const maxLength = 1024 * 1024;
/** Most artifacts for which the end of the text is remembered. */
const maxTexts = 64;

const atRest = /"state"\s*:\s*"(?:TASK_STATE_)?(?:completed|failed|cancell?ed|rejected|input[-_]required|auth[-_]required)"/i;
const lastOne = /"(?:lastChunk|last_chunk)"\s*:\s*true/;
const artifact = /"artifact_?id"\s*:\s*"((?:[^"\\]|\\.){0,256})"/i;

/**
 * Masks secret values that are split over several events of a stream, as agents send texts token by token. The end of an event that may be
 * the beginning of a secret value is held back, with all events after it. Once the value is complete, the mask is put into the last of
 * these events and the pieces are removed from those before it. Other events pass unchanged.
 *
 * At the end of a text, a beginning that is long enough is masked (`isCutSecret`).
 *
 * Texts that may continue each other: those of one event, those of one artifact, and all texts outside artifacts. Up to three characters
 * are held back for 300 ms and then delivered; more are held back for 2 s and then masked.
 */
export class SplitSecrets<Item> {
  readonly #secrets: SecretFinder;
  readonly #rewritten: (item: Item, data: string, removed: string) => Item;
  readonly #queue: Entry<Item>[] = [];
  readonly #tails = new Map<string, readonly Piece<Item>[]>();
  #length = 0;

  /** @param rewritten returns the item with other data; `removed` is what was taken out of its text. */
  constructor(secrets: SecretFinder, rewritten: (item: Item, data: string, removed: string) => Item) {
    this.#secrets = secrets;
    this.#rewritten = rewritten;
  }

  /** For how many milliseconds at most events are held back before `takeOverdue` is to be called; undefined where none are. */
  get wait(): number | undefined {
    if (this.#queue.length === 0) return undefined;
    return [...this.#tails.values()].some(tail => isHeld(tail) && lengthOf(tail) >= few) ? longWait : shortWait;
  }

  /** Adds an item. Returns the items that can be delivered now, in order. */
  add(item: Item, data: string): readonly Item[] {
    const entry: Entry<Item> = { item, data, holds: 0 };
    this.#queue.push(entry);
    this.#length += data.length;
    this.#look(entry);
    return this.#queue.length > maxEntries || this.#length > maxLength ? this.takeOverdue() : this.#ready();
  }

  /** Returns the items that were held back long enough. */
  takeOverdue(): readonly Item[] {
    for (const [key, tail] of this.#tails) {
      if (!isHeld(tail)) continue;
      if (lengthOf(tail) >= few) this.#cut(tail, mask);
      this.#keep(
        key,
        tail.map(({ text, after }) => ({ entry: undefined, text, after })),
      );
    }
    return this.#ready();
  }

  /** Returns all items that are still held back, at the end of the stream. */
  finish(): readonly Item[] {
    this.#endAll();
    return this.#ready();
  }

  #look(entry: Entry<Item>): void {
    const { data } = entry;
    let places = textsIn(data);
    if (places.length > 0) {
      const key = artifact.exec(data)?.[1] ?? '';
      let tail = this.#tails.get(key) ?? [];
      if (this.#cutShared(entry, places, tail)) {
        places = textsIn(entry.data);
        tail = [];
      }
      const all = [...tail, ...places.map(({ text }, index) => ({ entry, text, after: places.length - index - 1 }))];
      this.#keep(key, endOf(all, this.#secrets.pendingIn(textOf(all))));
      if (lastOne.test(entry.data)) this.#end(key);
    }
    if (atRest.test(entry.data)) this.#endAll();
  }

  /**
   * Masks secret values that are split over several texts of the entry, or over these and the end of the previous ones. False where there
   * are none.
   */
  #cutShared(entry: Entry<Item>, places: readonly JsonString[], tail: readonly Piece<Item>[]): boolean {
    if (tail.length === 0 && places.length === 1) return false;
    const texts = places.map(({ text }) => text);
    const before = textOf(tail);
    // Values within a single text were already masked.
    const spans = this.#secrets.spansIn(before + (texts.length === 1 ? texts[0]!.slice(0, maxRestLength) : texts.join('')));
    const goesOn = crossBorders(
      [before, ''],
      spans.filter(({ to }) => to > before.length),
    );
    if (!goesOn && !crossBorders([before, ...texts], spans)) return false;
    if (goesOn) this.#cut(tail, '');
    // What was held back of the previous text becomes part of this one.
    const delivered = goesOn ? toldOf(tail).length : before.length;
    const shown = maskSpans(
      [before.slice(delivered) + texts[0]!, ...texts.slice(1)],
      spans.filter(({ to }) => to > delivered).map(({ from, to }) => ({ from: Math.max(0, from - delivered), to: to - delivered })),
    );
    entry.data = replaceTexts(entry.data, places, shown);
    for (const [index, text] of texts.entries())
      if (shown[index] !== text) entry.item = this.#rewritten(entry.item, entry.data, removedFrom(text, shown[index]!));
    return true;
  }

  /** Removes the pieces from their entries and puts `instead` in place of the last one. */
  #cut(tail: readonly Piece<Item>[], instead: string): void {
    const held = tail.filter(({ entry }) => entry !== undefined);
    held.forEach(({ entry, text: piece, after }, index) => {
      const { from, to, text } = textsIn(entry!.data).at(-1 - after)!;
      const kept = text.slice(0, text.length - piece.length) + (index === held.length - 1 ? instead : '');
      entry!.data = entry!.data.slice(0, from) + JSON.stringify(kept) + entry!.data.slice(to);
      entry!.item = this.#rewritten(entry!.item, entry!.data, piece);
    });
  }

  /** No more of this text will arrive. */
  #end(key: string): void {
    const tail = this.#tails.get(key) ?? [];
    if (isHeld(tail) && isCutSecret(textOf(tail))) this.#cut(tail, mask);
    this.#keep(key, []);
  }

  #endAll(): void {
    for (const key of [...this.#tails.keys()]) this.#end(key);
  }

  #keep(key: string, tail: readonly Piece<Item>[]): void {
    for (const { entry } of tail) if (entry !== undefined) entry.holds++;
    for (const { entry } of this.#tails.get(key) ?? []) if (entry !== undefined) entry.holds--;
    this.#tails.delete(key);
    if (tail.length > 0) this.#tails.set(key, tail);
    if (this.#tails.size > maxTexts) this.#end(this.#tails.keys().next().value!);
  }

  #ready(): readonly Item[] {
    const held = this.#queue.findIndex(({ holds }) => holds > 0);
    const ready = this.#queue.splice(0, held === -1 ? this.#queue.length : held);
    for (const { data } of ready) this.#length -= data.length;
    return ready.map(({ item }) => item);
  }
}

/** The pieces with the last characters: `held` of them, and a few before them that are already delivered. */
function endOf<Item>(pieces: readonly Piece<Item>[], held: number): readonly Piece<Item>[] {
  const found: Piece<Item>[] = [];
  let [toHold, toKnow] = [held, Math.max(held, few - 1)];
  for (const { entry, text, after } of pieces.toReversed()) {
    const [holds, knows] = [Math.min(toHold, text.length), Math.min(toKnow, text.length)];
    if (holds > 0) found.unshift({ entry, text: text.slice(text.length - holds), after });
    if (knows > holds) found.unshift({ entry: undefined, text: text.slice(text.length - knows, text.length - holds), after });
    [toHold, toKnow] = [toHold - holds, toKnow - knows];
  }
  return found;
}

/** What was removed from the middle of a text, whose beginning and end are unchanged. */
function removedFrom(text: string, rest: string): string {
  let [begin, end] = [0, 0];
  const most = Math.min(text.length, rest.length);
  while (begin < most && text[begin] === rest[begin]) begin++;
  while (end < most - begin && text.at(-1 - end) === rest.at(-1 - end)) end++;
  return text.slice(begin, text.length - end);
}

const textOf = (tail: readonly Piece<unknown>[]): string => tail.map(({ text }) => text).join('');
const toldOf = (tail: readonly Piece<unknown>[]): string => textOf(tail.filter(({ entry }) => entry === undefined));
const lengthOf = (tail: readonly Piece<unknown>[]): number => textOf(tail.filter(({ entry }) => entry !== undefined)).length;
const isHeld = (tail: readonly Piece<unknown>[]): boolean => tail.some(({ entry }) => entry !== undefined);
