import { mask } from './secretValues.ts';

/** What finds secret values in texts, and masks them there. */
export interface SecretFinder {
  mask(text: string): string;
  /** How many characters at the end of a text may be the beginning of a secret value whose rest is still to come. */
  pendingIn(text: string): number;
}

/** Something of a stream, and its JSON. */
interface Entry<Item> {
  item: Item;
  data: string;
  /** In how many texts its end is held back. */
  holds: number;
}

/** Characters at the end of an entry's last text; without an entry they were told already. */
interface Piece<Item> {
  readonly entry: Entry<Item> | undefined;
  readonly text: string;
}

/** Fewer characters stand at the end of many texts by chance. So many are known of every text that was told: what goes on behind them is masked. */
const few = 4;
/** Milliseconds that fewer, and that more characters wait for what comes next. */
const [shortWait, longWait] = [300, 2000];
/** Most characters of a value, however it is encoded. */
const longestRest = 128 * 1024;
/** Most entries and characters that wait. */
const mostEntries = 256;
const mostLength = 1024 * 1024;
/** Most artifacts of which it is known how their texts ended. */
const mostTexts = 64;

const atRest = /"state"\s*:\s*"(?:TASK_STATE_)?(?:completed|failed|cancell?ed|rejected|input[-_]required|auth[-_]required)"/i;
const lastOne = /"(?:lastChunk|last_chunk)"\s*:\s*true/;
const artifact = /"artifact_?id"\s*:\s*"((?:[^"\\]|\\.){0,256})"/i;

/**
 * Secret values that are cut into pieces over several events of a stream, as agents send texts token by token. What may be the beginning of
 * one is held back at the edge of an event, with all that comes after it; once the value is complete, the mask stands in the last of the
 * events and the pieces are gone from those before it. All others come out as they went in.
 *
 * What goes on in what: the texts of one artifact, and all texts that are in none. Three characters wait for 300 ms and may be told then;
 * more wait for 2 s and are masked then, whatever they are.
 */
export class SplitSecrets<Item> {
  readonly #secrets: SecretFinder;
  readonly #rewritten: (item: Item, data: string, removed: string) => Item;
  readonly #queue: Entry<Item>[] = [];
  readonly #tails = new Map<string, readonly Piece<Item>[]>();
  #length = 0;

  /** @param rewritten the item with other data; `removed` is what was taken out of its text. */
  constructor(secrets: SecretFinder, rewritten: (item: Item, data: string, removed: string) => Item) {
    this.#secrets = secrets;
    this.#rewritten = rewritten;
  }

  /** For how many milliseconds at most what is held back waits for more, before `giveUp`; undefined where nothing is. */
  get wait(): number | undefined {
    if (this.#queue.length === 0) return undefined;
    return [...this.#tails.values()].some(tail => isHeld(tail) && lengthOf(tail) >= few) ? longWait : shortWait;
  }

  /** What can be told now, in order. */
  take(item: Item, data: string): readonly Item[] {
    const entry: Entry<Item> = { item, data, holds: 0 };
    this.#queue.push(entry);
    this.#length += data.length;
    this.#look(entry);
    return this.#queue.length > mostEntries || this.#length > mostLength ? this.giveUp() : this.#ready();
  }

  /** What was held back for long enough. */
  giveUp(): readonly Item[] {
    for (const [key, tail] of this.#tails) {
      if (!isHeld(tail)) continue;
      if (lengthOf(tail) >= few) this.#cut(tail, mask);
      this.#keep(key, tail.map(({ text }) => ({ entry: undefined, text })));
    }
    return this.#ready();
  }

  /** What was held back, since nothing more comes. */
  rest(): readonly Item[] {
    for (const key of [...this.#tails.keys()]) this.#keep(key, []);
    return this.#ready();
  }

  #look(entry: Entry<Item>): void {
    const { data } = entry;
    const texts = textsIn(data);
    const [first] = texts;
    if (first !== undefined) {
      const key = artifact.exec(entry.data)?.[1] ?? '';
      const known = this.#tails.get(key) ?? [];
      const before = textOf(known);
      let tail = known;
      if (known.length > 0) {
        // What is in the text alone was looked for before.
        const whole = before + first.text.slice(0, longestRest);
        const masked = this.#secrets.mask(whole);
        if (masked !== whole) {
          this.#cut(known, '');
          const shown = masked.slice(sameStart(toldOf(known), masked)) + first.text.slice(longestRest);
          entry.data = entry.data.slice(0, first.from) + JSON.stringify(shown) + entry.data.slice(first.to);
          entry.item = this.#rewritten(entry.item, entry.data, removedFrom(first.text, shown));
          tail = [];
        }
      }
      const last = (entry.data === data ? texts : textsIn(entry.data)).at(-1)!.text;
      if (texts.length > 1 || lastOne.test(entry.data)) tail = [];
      this.#keep(key, lastOne.test(entry.data) ? [] : endOf([...tail, { entry, text: last }], this.#secrets.pendingIn(textOf(tail) + last)));
    }
    if (atRest.test(entry.data)) for (const key of [...this.#tails.keys()]) this.#keep(key, []);
  }

  /** Takes the pieces out of their entries; `instead` stands in the place of the last. */
  #cut(tail: readonly Piece<Item>[], instead: string): void {
    const held = tail.filter(({ entry }) => entry !== undefined);
    held.forEach(({ entry, text: piece }, index) => {
      const { from, to, text } = textsIn(entry!.data).at(-1)!;
      const kept = text.slice(0, text.length - piece.length) + (index === held.length - 1 ? instead : '');
      entry!.data = entry!.data.slice(0, from) + JSON.stringify(kept) + entry!.data.slice(to);
      entry!.item = this.#rewritten(entry!.item, entry!.data, piece);
    });
  }

  #keep(key: string, tail: readonly Piece<Item>[]): void {
    for (const { entry } of tail) if (entry !== undefined) entry.holds++;
    for (const { entry } of this.#tails.get(key) ?? []) if (entry !== undefined) entry.holds--;
    this.#tails.delete(key);
    if (tail.length > 0) this.#tails.set(key, tail);
    if (this.#tails.size > mostTexts) this.#keep(this.#tails.keys().next().value!, []);
  }

  #ready(): readonly Item[] {
    const held = this.#queue.findIndex(({ holds }) => holds > 0);
    const ready = this.#queue.splice(0, held === -1 ? this.#queue.length : held);
    for (const { data } of ready) this.#length -= data.length;
    return ready.map(({ item }) => item);
  }
}

interface JsonString {
  /** Where it is in the JSON, with its quotes. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The values of all members called `text`. */
function textsIn(data: string): readonly JsonString[] {
  const found: JsonString[] = [];
  const name = /"text"\s*:\s*(?=")/g;
  while (name.exec(data) !== null) {
    const from = name.lastIndex;
    const to = endOfString(data, from);
    try {
      found.push({ from, to: to + 1, text: JSON.parse(data.slice(from, to + 1)) as string });
    } catch {
      // Not JSON: nobody reads a text there.
    }
    name.lastIndex = to;
  }
  return found;
}

/** Index of the closing quote; the end of the data where there is none. */
function endOfString(data: string, start: number): number {
  for (let end = data.indexOf('"', start + 1); end !== -1; end = data.indexOf('"', end + 1)) {
    let escapes = 0;
    while (data.charCodeAt(end - 1 - escapes) === 92) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return data.length;
}

/** The pieces that the last characters are in, `held` of them and a few before, which are told. */
function endOf<Item>(pieces: readonly Piece<Item>[], held: number): readonly Piece<Item>[] {
  const found: Piece<Item>[] = [];
  let [toHold, toKnow] = [held, Math.max(held, few - 1)];
  for (const { entry, text } of pieces.toReversed()) {
    const [holds, knows] = [Math.min(toHold, text.length), Math.min(toKnow, text.length)];
    if (holds > 0) found.unshift({ entry, text: text.slice(text.length - holds) });
    if (knows > holds) found.unshift({ entry: undefined, text: text.slice(text.length - knows, text.length - holds) });
    [toHold, toKnow] = [toHold - holds, toKnow - knows];
  }
  return found;
}

/** How many characters two texts begin with that are the same. */
function sameStart(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same;
}

/** What is no longer in a text whose end stayed. */
function removedFrom(text: string, rest: string): string {
  let same = 0;
  while (same < text.length && same < rest.length && text.at(-1 - same) === rest.at(-1 - same)) same++;
  return text.slice(0, text.length - same);
}

const textOf = (tail: readonly Piece<unknown>[]): string => tail.map(({ text }) => text).join('');
const toldOf = (tail: readonly Piece<unknown>[]): string => textOf(tail.filter(({ entry }) => entry === undefined));
const lengthOf = (tail: readonly Piece<unknown>[]): number => textOf(tail.filter(({ entry }) => entry !== undefined)).length;
const isHeld = (tail: readonly Piece<unknown>[]): boolean => tail.some(({ entry }) => entry !== undefined);
