import { mask } from './secretValues.ts';

/** A range of a text; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A string in JSON; the range includes its quotes. */
export interface JsonString extends Span {
  readonly text: string;
}

/** The values of all members named `text`. */
export function textsIn(data: string): readonly JsonString[] {
  const found: JsonString[] = [];
  const name = /"text"\s*:\s*(?=")/g;
  while (name.exec(data) !== null) {
    const from = name.lastIndex;
    const to = endOfString(data, from);
    const text = stringIn(data.slice(from, to + 1));
    if (text !== undefined) found.push({ from, to: to + 1, text });
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

/** The JSON with the strings at `places` replaced by `texts`. */
export function replaceTexts(data: string, places: readonly JsonString[], texts: readonly string[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const [index, { from, to, text }] of places.entries()) {
    if (texts[index] === text) continue;
    pieces.push(data.slice(last, from), JSON.stringify(texts[index]));
    last = to;
  }
  return pieces.join('') + data.slice(last);
}

/** True where a span crosses the border between two texts. Spans refer to all texts joined. */
export function crossBorders(texts: readonly string[], spans: readonly Span[]): boolean {
  let end = 0;
  const ends = texts.map(text => (end += text.length));
  return spans.some(({ from, to }) => ends.some(border => from < border && to > border));
}

/**
 * Removes spans from texts; spans refer to all texts joined, are in order and do not overlap. Each is replaced by the mask, in the first
 * text that it touches.
 */
export function maskSpans(texts: readonly string[], spans: readonly Span[]): readonly string[] {
  let [end, next] = [0, 0];
  return texts.map(text => {
    const begin = end;
    end += text.length;
    let [shown, from] = ['', begin];
    for (; next < spans.length && spans[next]!.from < end; next++) {
      const span = spans[next]!;
      if (span.from >= begin) shown += text.slice(from - begin, span.from - begin) + mask;
      from = Math.min(span.to, end);
      if (span.to > end) break;
    }
    return shown + text.slice(from - begin);
  });
}

/** The JSON with those secret values masked that are spread over several of its texts, such as the parts of one message. */
export function maskSplitSecrets(data: string, spansIn: (text: string) => readonly Span[]): string {
  const places = textsIn(data);
  if (places.length < 2) return data;
  const texts = places.map(({ text }) => text);
  const spans = spansIn(texts.join(''));
  return crossBorders(texts, spans) ? replaceTexts(data, places, maskSpans(texts, spans)) : data;
}

/**
 * The JSON with those members written anew, name and value, of which `masked` says how; all else stays as it is written, also where it is no
 * valid JSON. Takes time in proportion to the length.
 * @param masked is told each member whose value is a text or a number
 */
export function maskMembers(
  data: string,
  masked: (name: string, value: string | number) => readonly [name: string, value: string] | undefined,
): string {
  const pieces: string[] = [];
  let last = 0;
  for (let from = data.indexOf('"'); from !== -1; ) {
    const end = endOfString(data, from);
    const colon = /^\s*:\s*/.exec(data.slice(end + 1, end + 1 + longestGap))?.[0];
    const start = end + 1 + (colon?.length ?? 0);
    const value = colon === undefined ? undefined : scalarAt(data, start);
    const written = value && masked(stringIn(data.slice(from, end + 1)) ?? data.slice(from + 1, end), value.value);
    if (value !== undefined && written !== undefined) {
      pieces.push(data.slice(last, from), JSON.stringify(written[0]), data.slice(end + 1, start), JSON.stringify(written[1]));
      last = value.to;
    }
    // The value is no name of anything.
    from = data.indexOf('"', value?.to ?? end + 1);
  }
  return pieces.join('') + data.slice(last);
}

/** Most characters between a name and its value. */
const longestGap = 1_000;

/** The text or number that begins at an index. */
function scalarAt(data: string, from: number): { readonly to: number; readonly value: string | number } | undefined {
  if (data[from] === '"') {
    const end = endOfString(data, from);
    // One that is cut, or is no valid JSON, is read as it is written.
    return { to: Math.min(end + 1, data.length), value: stringIn(data.slice(from, end + 1)) ?? data.slice(from + 1, end) };
  }
  const number = /^-?\d[\d.eE+-]*/.exec(data.slice(from, from + longestGap))?.[0];
  return number === undefined || Number.isNaN(Number(number)) ? undefined : { to: from + number.length, value: Number(number) };
}

function stringIn(written: string): string | undefined {
  try {
    return JSON.parse(written) as string;
  } catch {
    // No valid JSON: nothing is read from it.
    return undefined;
  }
}
