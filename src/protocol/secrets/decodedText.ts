/** A text whose escapes are undone. */
interface DecodedText {
  readonly text: string;
  /** The range of the original text that these characters were decoded from. */
  source(from: number, to: number): readonly [from: number, to: number];
}

/** An escape of a URL, of JSON or JavaScript, or of HTML, however often it was escaped again in the same way. */
const escapes =
  /%(?:25)*[\da-f]{2}|\\+(?:u[\da-f]{4}|x[\da-f]{2}|["'\\/bfnrt])|&(?:amp;)*(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);/gi;
/** An incomplete escape at the end of a text, whose rest may still arrive. */
const begun = /(?:%(?:25)*[\da-f]?|\\+(?:u[\da-f]{0,3}|x[\da-f]?)?|&(?:amp;)*(?:#\d{0,7}|#x[\da-f]{0,6})?)$/i;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const behindBackslash: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Undefined where there are no escapes. An escaped byte of a URL becomes the Latin-1 character of that number. */
export function decoded(text: string): DecodedText | undefined {
  const pieces: string[] = [];
  /** For each escape: its range in the decoded text, and its range in the text before. */
  const places: (readonly [at: number, end: number, from: number, to: number])[] = [];
  let [length, last] = [0, 0];
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    const character = characterOf(escape);
    pieces.push(text.slice(last, index), character);
    length += index - last;
    last = index + escape.length;
    places.push([length, length + character.length, index, last]);
    length += character.length;
  }
  if (places.length === 0) return undefined;
  pieces.push(text.slice(last));
  /** The range of one character in the text before. */
  const origin = (at: number): readonly [from: number, to: number] => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (places[middle]![0] <= at) low = middle + 1;
      else high = middle;
    }
    const [, end, from, to] = places[low - 1] ?? [0, 0, 0, 0];
    return at < end ? [from, to] : [to + at - end, to + at - end + 1];
  };
  return { text: pieces.join(''), source: (from, to) => [origin(from)[0], origin(to - 1)[1]] };
}

/** The text with its escapes undone. */
export const decodedText = (text: string): string => decoded(text)?.text ?? text;

/** Length of an incomplete escape at the end of a text, whose rest may still arrive. */
export const begunEscape = (text: string): number => begun.exec(text.slice(-16))?.[0].length ?? 0;

function characterOf(escape: string): string {
  if (escape.startsWith('%')) return String.fromCharCode(parseInt(escape.slice(-2), 16));
  if (escape.startsWith('\\')) {
    const [letter = '', ...digits] = escape.slice(escape.lastIndexOf('\\') + 1);
    return digits.length > 0
      ? String.fromCharCode(parseInt(digits.join(''), 16))
      : (behindBackslash[letter.toLowerCase()] ?? (letter || '\\'));
  }
  const name = /#?(\w+);$/.exec(escape)?.[1]?.toLowerCase() ?? '';
  if (!escape.includes('#')) return named[name] ?? escape;
  const code = name.startsWith('x') ? parseInt(name.slice(1), 16) : Number(name);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : escape;
}
