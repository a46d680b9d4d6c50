import { randomUUID } from 'node:crypto';
import { copyOf } from '../../protocol/ownText.ts';
import { plainChunkIn, type PlainChunk } from '../../protocol/versions/shared/plainChunk.ts';
import { parseJson } from '../http/parseJson.ts';

/** What the JSON of a chunk says around its text, and what all of it says. */
interface Pattern {
  readonly before: string;
  readonly after: string;
  readonly withText: (text: string) => PlainChunk;
}

/** So many patterns are tried, the newest first: an agent may write several artifacts by turns. */
const maxPatterns = 4;
/** So many are made for nothing before a stream counts as one that does not repeat itself. */
const patience = 16;
/** From so many characters on a text stays a piece of what it came in, which is kept with it then: `ownData` bounds how much that is. */
const longText = 1024;
/** Stands in for a text: nobody who writes an event knows it. */
const marker = randomUUID();
const textKey = /"text"\s*:\s*(?=")/;

/**
 * Chunks of text that are the one before in everything but their text, as nearly all of a stream are: only that is read then. What comes
 * out is exactly what reading the whole JSON would give.
 */
export class RepeatedChunks {
  #patterns: Pattern[] = [];
  #left = patience;

  /** The chunk in the data of an event; undefined where it is not known how to read it. `isClean`: the data is known to have no control characters. */
  read(data: string, isClean: () => boolean): PlainChunk | undefined {
    for (const { before, after, withText } of this.#patterns) {
      // Comparing a slice costs a quarter of what startsWith does.
      if (data.slice(0, before.length) !== before || data.slice(-after.length) !== after) continue;
      const text = textOf(data, before.length, data.length - after.length, isClean);
      if (text === undefined) continue;
      this.#left = patience;
      return withText(text);
    }
    return undefined;
  }

  /** The data of an event was read, and is a plain chunk: those that come may be like it. */
  learn(data: string): void {
    if (this.#left === 0) return;
    this.#left--;
    const pattern = patternOf(data);
    if (pattern !== undefined) this.#patterns = [pattern, ...this.#patterns.slice(0, maxPatterns - 1)];
  }
}

/** The string that a stretch of JSON is from its first quote to its last; undefined where it is anything else. */
function textOf(data: string, from: number, to: number, isClean: () => boolean): string | undefined {
  if (
    to - from >= longText &&
    data.charCodeAt(from) === 34 &&
    data.indexOf('"', from + 1) === to - 1 &&
    !hasEscape(data, from, to) &&
    isClean()
  ) {
    return data.slice(from + 1, to - 1);
  }
  const text = parseJson(data.slice(from, to));
  return typeof text === 'string' ? text : undefined;
}

function hasEscape(data: string, from: number, to: number): boolean {
  const at = data.indexOf('\\', from);
  return at !== -1 && at < to;
}

/** Undefined where it cannot be told where the text is, or there are several. */
function patternOf(data: string): Pattern | undefined {
  const key = textKey.exec(data);
  if (key === null) return undefined;
  const from = key.index + key[0].length;
  const to = endOfString(data, from);
  // A copy is faster to compare with, too.
  const [before, after] = [copyOf(data.slice(0, from)), copyOf(data.slice(to))];
  // Whatever is found above: where the marker comes out as the chunk's text, and nowhere else is any, that is the place.
  const chunk = plainChunkIn(parseJson(`${before}"${marker}"${after}`));
  if (chunk === undefined) return undefined;
  const {
    artifactUpdate: update,
    artifactUpdate: { artifact },
  } = chunk;
  const [part] = artifact.parts;
  if (artifact.parts.length !== 1 || part === undefined || !('text' in part) || part.text !== marker) return undefined;
  return { before, after, withText: text => ({ artifactUpdate: { ...update, artifact: { ...artifact, parts: [{ text }] } } }) };
}

/** After the closing quote of the string that begins there; the end of the data where there is none. */
function endOfString(data: string, from: number): number {
  for (let at = from + 1; at < data.length; at++) {
    const code = data.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at + 1;
  }
  return data.length;
}
