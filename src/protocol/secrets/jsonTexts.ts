import { mask } from './secretValues.ts';

/** A range of a text; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A string in JSON; the range includes its quotes. */
interface JsonString extends Span {
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

/** The spans that cross the border between two texts, or between what came before them and the first one. */
export function acrossBorders(spans: readonly Span[], texts: readonly JsonString[], before = 0): readonly Span[] {
  let border = before;
  const borders = [before, ...texts.map(({ text }) => (border += text.length))];
  return spans.filter(({ from, to }) => borders.some(at => from < at && to > at));
}

/** Text before the texts of an event in the same text. */
interface TextBefore {
  readonly length: number;
  /** The mask stands for its last characters. */
  readonly isMasked: boolean;
}

/**
 * The JSON with spans of its texts replaced by the mask, in the first text that each touches.
 * @param spans ranges of the texts joined, with `before` in front; in order and without overlaps
 * @param onRemoved called with the part that was removed from each text
 */
export function maskSpans(
  data: string,
  texts: readonly JsonString[],
  spans: readonly Span[],
  { length, isMasked }: TextBefore = { length: 0, isMasked: false },
  onRemoved?: (removed: string) => void,
): string {
  const pieces: string[] = [];
  let [end, next, last] = [length, spans.findIndex(({ to }) => to > length), 0];
  let isShown = isMasked;
  for (const { from, to, text } of texts) {
    const begin = end;
    end += text.length;
    let [shown, at] = ['', begin];
    for (; next !== -1 && next < spans.length && spans[next]!.from < end; next++) {
      const span = spans[next]!;
      const [first, after] = [Math.max(span.from, begin), Math.min(span.to, end)];
      if (span.from >= begin || !isShown) shown += text.slice(at - begin, first - begin) + mask;
      isShown = true;
      onRemoved?.(text.slice(first - begin, after - begin));
      at = after;
      if (span.to > end) break;
    }
    shown += text.slice(at - begin);
    if (shown === text) continue;
    pieces.push(data.slice(last, from), JSON.stringify(shown));
    last = to;
  }
  return pieces.join('') + data.slice(last);
}

/** The JSON with those secret values masked that are spread over several of its texts, such as the parts of one message. */
export function maskSplitSecrets(data: string, spansIn: (text: string) => readonly Span[]): string {
  const texts = textsIn(data);
  if (texts.length < 2) return data;
  return maskSpans(data, texts, acrossBorders(spansIn(texts.map(({ text }) => text).join('')), texts));
}

function stringIn(written: string): string | undefined {
  try {
    return JSON.parse(written) as string;
  } catch {
    // No valid JSON: nothing is read from it.
    return undefined;
  }
}
