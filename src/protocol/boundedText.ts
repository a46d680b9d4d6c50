/** Part of a text; offset and length in UTF-16 code units. */
interface Stretch {
  readonly offset: number;
  readonly length: number;
}

/** How much of a text is read at most. */
export interface TextBounds {
  /** Members read of each object or array whose depth is at most `depth`; the rest are left out. */
  readonly items: number;
  /** Lists nested deeper than this are read completely or not at all. The root has depth 1. */
  readonly depth: number;
  /** Values, member names and templates in the whole text. */
  readonly values: number;
  readonly characters: number;
}

interface BoundedText {
  /** The text that is read. What was left out is replaced by spaces, so offsets are those of the original text. */
  readonly text: string;
  /** The stretches that were left out, in text order. Empty where the whole text is read. */
  readonly omitted: readonly Stretch[];
}

interface OpenList {
  readonly closing: string;
  commas: number;
}

/**
 * Limits a JSONC text to the given bounds, in one pass over at most `characters` UTF-16 code units. Where `values` or `characters` is used
 * up, the text ends before the member that exceeded it, and open brackets are closed.
 */
export function boundedText(text: string, { items, depth: deepest, values, characters }: TextBounds): BoundedText {
  const open: OpenList[] = [];
  const omitted: Stretch[] = [];
  const end = Math.min(text.length, characters);
  let depth = 0;
  let left = values;
  /** Where the text could end, and how many brackets are open there. */
  let cut = { at: 0, open: 0 };
  /** While members are skipped: how many brackets were open when skipping began, at `cut`. Otherwise 0. */
  let passing = 0;
  /** Start of the next `{{`; -1 before the first search. */
  let brace = -1;
  let index = 0;
  for (; index < end && left > 0; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        const start = index;
        index = endOfString(text, index, end);
        // Each `{{` may begin a template, which counts as a value.
        if (brace < start) brace = indexOr(text, '{{', start, end);
        for (; brace < index; brace = indexOr(text, '{{', brace + 2, end)) if (passing === 0) left--;
        break;
      case 0x2f: // /
        index = endOfComment(text, index, end);
        break;
      case 0x5b: // [
      case 0x7b: // {
        open[depth++] = { closing: text[index] === '[' ? ']' : '}', commas: 0 };
        if (passing === 0) left--;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        if (passing > 0 && depth === passing) {
          omitted.push({ offset: cut.at, length: index - cut.at });
          passing = 0;
        }
        if (depth > 0) depth--;
        break;
      case 0x3a: // :
        if (passing === 0) left--;
        break;
      case 0x2c: {
        // ,
        if (passing > 0) break;
        left--;
        if (depth > deepest) break;
        cut = { at: index, open: depth };
        const list = open[depth - 1];
        if (list !== undefined && ++list.commas === items) passing = depth;
        break;
      }
    }
  }
  if (index >= text.length) return { text: omitted.length === 0 ? text : withSpaces(text, omitted), omitted };
  const closing = open
    .slice(0, cut.open)
    .reverse()
    .map(list => list.closing)
    .join('');
  return {
    text: withSpaces(text.slice(0, cut.at), omitted) + closing,
    omitted: [...omitted, { offset: cut.at, length: text.length - cut.at }],
  };
}

function withSpaces(text: string, ranges: readonly Stretch[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { offset, length } of ranges) {
    pieces.push(text.slice(at, offset), ' '.repeat(length));
    at = offset + length;
  }
  return pieces.join('') + text.slice(at);
}

/** Index of the closing quote, or of the line's end where there is none: a JSON string does not cross lines. */
function endOfString(text: string, start: number, end: number): number {
  for (let index = start + 1; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22 || code === 0x0a || code === 0x0d) return index;
    if (code === 0x5c) index++;
  }
  return end;
}

function endOfComment(text: string, start: number, end: number): number {
  const mark = text.charCodeAt(start + 1);
  if (mark === 0x2f) {
    return indexOr(text, '\n', start, end);
  }
  if (mark !== 0x2a) return start;
  return Math.min(indexOr(text, '*/', start + 2, end) + 1, end);
}

/** The next index of `wanted`, or `end` where it does not occur before that. */
function indexOr(text: string, wanted: string, from: number, end: number): number {
  const found = text.indexOf(wanted, from);
  return found === -1 ? end : Math.min(found, end);
}
