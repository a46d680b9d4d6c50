import { betweenCharacters } from '../hiddenCharacters.ts';

/** A text with decoded escapes. */
export interface DecodedText {
  readonly text: string;
  /** The range of the original text that these characters were decoded from. */
  source(from: number, to: number): readonly [from: number, to: number];
}

/** Percent-encoding, escapes of JSON and JavaScript, HTML character references, and invisible characters. */
const escapes = new RegExp(
  `${/(?:%[\da-f]{2})+|\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|["'\\/bfnrt])|&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z]{2,8};)/.source}|[${betweenCharacters}]`,
  'giu',
);
const lineEnds = /\r?\n[\t ]*/g;
/** An incomplete escape at the end of a text, whose rest may still arrive. */
const begun =
  /(?:%[\da-f]?|(?:%[c-f][\da-f])(?:%[89ab][\da-f]){0,2}(?:%[89ab]?)?|\\(?:u[\da-f]{0,3}|u\{[\da-f]{0,6}|x[\da-f]?)?|&(?:#\d{0,7}|#x[\da-f]{0,6})?)$/i;

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  tab: '\t',
  newline: '\n',
  sol: '/',
  bsol: '\\',
  colon: ':',
  semi: ';',
  comma: ',',
  period: '.',
  lowbar: '_',
  plus: '+',
  equals: '=',
  num: '#',
  dollar: '$',
  percnt: '%',
  ast: '*',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  excl: '!',
  quest: '?',
  commat: '@',
  hat: '^',
  grave: '`',
  verbar: '|',
  vert: '|',
  hyphen: '-',
  dash: '-',
  tilde: '~',
};
const behindBackslash: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Most layers of nested escapes that are decoded. */
const maxLayers = 5;

/** The text unchanged. */
const undecoded = (text: string): DecodedText => ({ text, source: (from, to) => [from, to] });

/** With one layer of escapes decoded; undefined where there are no escapes. */
const decodedOnce = (layer: DecodedText): DecodedText | undefined => rewritten(layer, escapes, decodedEscape);

/** Yields the text unchanged, then with each layer of escapes decoded, and at last without its line ends. */
export function* decodings(text: string): Generator<DecodedText> {
  let layer: DecodedText | undefined = undecoded(text);
  let last = layer;
  for (let count = 0; layer !== undefined && count <= maxLayers; count++) {
    yield layer;
    last = layer;
    layer = decodedOnce(layer);
  }
  const unwrapped = rewritten(last, lineEnds, () => []);
  if (unwrapped !== undefined) yield unwrapped;
}

/** The text with all layers of escapes decoded. */
export function decodedText(text: string): string {
  let layer = undecoded(text);
  for (let count = 0; count < maxLayers; count++) layer = decodedOnce(layer) ?? layer;
  return layer.text;
}

/**
 * As `decodings`, but each without an escape at the end that may be incomplete; `open` is its length in characters of the text. What is
 * incomplete in one layer is also left out of the following ones.
 */
export function* closedDecodings(text: string): Generator<DecodedText & { readonly open: number }> {
  let layer: DecodedText | undefined = undecoded(text);
  for (let count = 0; layer !== undefined && count <= maxLayers; count++) {
    const { text: whole, source }: DecodedText = layer;
    const length = whole.length - (begun.exec(whole.slice(-16))?.[0].length ?? 0);
    layer = { text: whole.slice(0, length), source };
    yield { ...layer, open: length === whole.length ? 0 : text.length - source(length, whole.length)[0] };
    layer = decodedOnce(layer);
  }
}

/** A decoded character, and how many characters of the escape it was decoded from. */
type Decoded = readonly [character: string, length: number];

/** Undefined where there is nothing to replace. Replaced ranges are recorded in text order. */
function rewritten(before: DecodedText, pattern: RegExp, decode: (escape: string) => readonly Decoded[]): DecodedText | undefined {
  const pieces: string[] = [];
  /** For each replacement: its range in the decoded text, and its range in the text before. */
  const places: (readonly [at: number, end: number, from: number, to: number])[] = [];
  let [length, last] = [0, 0];
  for (const { 0: escape, index } of before.text.matchAll(pattern)) {
    const kept = before.text.slice(last, index);
    pieces.push(kept);
    length += kept.length;
    let from = index;
    const characters = decode(escape);
    for (const [character, taken] of characters) {
      pieces.push(character);
      places.push([length, length + character.length, from, from + taken]);
      length += character.length;
      from += taken;
    }
    if (characters.length === 0) places.push([length, length, from, from + escape.length]);
    last = index + escape.length;
  }
  if (places.length === 0) return undefined;
  pieces.push(before.text.slice(last));
  const origin = (at: number, isEnd: boolean): number => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isEnd ? places[middle]![0] < at : places[middle]![0] <= at) low = middle + 1;
      else high = middle;
    }
    const place = places[low - 1];
    if (place === undefined) return at;
    const [, end, from, to] = place;
    if (isEnd) return at <= end ? to : to + at - end;
    return at < end ? from : to + at - end;
  };
  return { text: pieces.join(''), source: (from, to) => before.source(origin(from, false), origin(to, true)) };
}

function decodedEscape(escape: string): readonly Decoded[] {
  if (escape.startsWith('%')) return decodedPercents(escape);
  const one = (character: string | undefined): readonly Decoded[] => [[character ?? escape, escape.length]];
  if (escape.startsWith('\\')) {
    const letter = escape[1]!;
    return one(
      /[ux]/i.test(letter) && escape.length > 2
        ? characterOf(parseInt(escape.replaceAll(/[^\da-f]/gi, ''), 16))
        : (behindBackslash[letter.toLowerCase()] ?? letter),
    );
  }
  if (!escape.startsWith('&')) return [];
  if (escape[1] !== '#') return one(named[escape.slice(1, -1).toLowerCase()]);
  const digits = escape.replaceAll(/[&#;]/g, '');
  return one(characterOf(/^x/i.test(digits) ? parseInt(digits.slice(1), 16) : Number(digits)));
}

const characterOf = (code: number): string | undefined => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined);

/** Decodes bytes as UTF-8; a byte that is not valid UTF-8 becomes a Latin-1 character. */
function decodedPercents(run: string): readonly Decoded[] {
  const bytes = Array.from({ length: run.length / 3 }, (_, index) => parseInt(run.slice(index * 3 + 1, index * 3 + 3), 16));
  const decoded: Decoded[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    const more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 0;
    const rest = bytes.slice(at + 1, at + 1 + more);
    const whole = rest.length === more && rest.every(byte => byte >= 0x80 && byte < 0xc0);
    const code = whole ? rest.reduce((sum, byte) => sum * 64 + byte - 0x80, more === 0 ? first : first & (0x3f >> more)) : first;
    const count = whole ? more + 1 : 1;
    decoded.push([characterOf(code) ?? '\ufffd', count * 3]);
    at += count;
  }
  return decoded;
}
