import { mask } from './secretValues.ts';

/** Where something begins and ends in a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A string in JSON, `from` and `to` with its quotes. */
export interface JsonString extends Span {
  readonly text: string;
}

/** The values of all members called `text`. */
export function textsIn(data: string): readonly JsonString[] {
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

/** The JSON with other texts in the places of these. */
export function withTexts(data: string, places: readonly JsonString[], texts: readonly string[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const [index, { from, to, text }] of places.entries()) {
    if (texts[index] === text) continue;
    pieces.push(data.slice(last, from), JSON.stringify(texts[index]));
    last = to;
  }
  return pieces.join('') + data.slice(last);
}

/** Whether one of the spans, in the texts as one, goes beyond a text. */
export function goBeyond(texts: readonly string[], spans: readonly Span[]): boolean {
  let end = 0;
  const ends = texts.map(text => (end += text.length));
  return spans.some(({ from, to }) => ends.some(border => from < border && to > border));
}

/** Texts without spans in them as one, which are in order and apart. Where one is in several texts, the mask is in the first of them. */
export function withoutSpans(texts: readonly string[], spans: readonly Span[]): readonly string[] {
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

/** The JSON without secret values whose pieces are in several of its texts, as in the parts of one message. */
export function withoutSharedSecrets(data: string, spansIn: (text: string) => readonly Span[]): string {
  const places = textsIn(data);
  if (places.length < 2) return data;
  const texts = places.map(({ text }) => text);
  const spans = spansIn(texts.join(''));
  return goBeyond(texts, spans) ? withTexts(data, places, withoutSpans(texts, spans)) : data;
}
