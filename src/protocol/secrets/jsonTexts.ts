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
    try {
      found.push({ from, to: to + 1, text: JSON.parse(data.slice(from, to + 1)) as string });
    } catch {
      // Invalid JSON: no text is read from it.
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
