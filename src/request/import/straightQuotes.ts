import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** Closing quotes of strings that begin with a quote other than JSON's. */
const closing: Readonly<Record<string, RegExp>> = {
  '“': /[”“]/y,
  '”': /[”“]/y,
  '„': /[“”‟]/y,
  '‟': /[”“]/y,
  '＂': /＂/y,
  // An apostrophe inside such a string is followed by more of the string.
  "'": /'(?=\s*(?:[,:}\]，：]|$)|[^\S\n]*\n)/y,
  '‘': /[’‘](?=\s*(?:[,:}\]，：]|$)|[^\S\n]*\n)/y,
  '’': /[’‘](?=\s*(?:[,:}\]，：]|$)|[^\S\n]*\n)/y,
};
const widths: Readonly<Record<string, string>> = { '，': ',', '：': ':', '\u00a0': ' ', '\u3000': ' ' };
const python: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

const comment = /^(?:\/\/[^\n]*|\/\*[^]*?\*\/)/;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;

/** Longest comment that is skipped, in UTF-16 code units. */
const maxCommentLength = 10_000;

/**
 * Converts curly quotes (from word processors), full-width commas (from web pages) and Python's single quotes, True, False and None.
 * Strings of JSON are not changed. Linear time.
 */
export function straightenQuotes(text: string, note: (what: LocalizedMessage) => void): string {
  const pieces: string[] = [];
  const found = (pattern: RegExp, at: number): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (let index = 0; index < text.length; ) {
    const character = text[index] ?? '';
    const close = closing[character];
    const kept =
      character === '/'
        ? comment.exec(text.slice(index, index + maxCommentLength))?.[0]
        : character === '"'
          ? text.slice(index, endOfString(text, index))
          : undefined;
    if (kept !== undefined) {
      pieces.push(kept);
      index += kept.length;
    } else if (close !== undefined) {
      let end = index + 1;
      while (end < text.length && found(close, end) === undefined) end += text[end] === '\\' ? 2 : 1;
      note(
        character === "'"
          ? sentence('Single quotes were replaced with double quotes.')
          : sentence('Curly quotes were replaced with straight quotes.'),
      );
      pieces.push(`"${doubleQuoted(text.slice(index + 1, end))}"`);
      index = end + 1;
    } else {
      const written = found(word, index);
      if (written === undefined) {
        if (widths[character] !== undefined && character !== '\u00a0' && character !== '\u3000')
          note(sentence('Full-width commas and colons were replaced.'));
        pieces.push(widths[character] ?? character);
        index += 1;
        continue;
      }
      if (Object.hasOwn(python, written)) note(sentence('True, False and None were replaced with true, false and null.'));
      pieces.push(Object.hasOwn(python, written) ? python[written]! : written);
      index += written.length;
    }
  }
  return pieces.join('');
}

/** Index after the closing quote, or the length of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return Math.min(index + 1, text.length);
}

/** Content of a string with another quote, escaped for JSON, which does not have `\'` and `\x1b`. */
const doubleQuoted = (inside: string): string =>
  inside.replaceAll(/\\x([\da-f]{2})|\\([^])|"|[\n\t]/gi, (whole, hex?: string, escaped?: string) => {
    if (hex !== undefined) return `\\u00${hex}`;
    if (escaped !== undefined) return escaped === "'" || escaped === '‘' || escaped === '’' ? escaped : whole;
    return whole === '"' ? '\\"' : whole === '\n' ? '\\n' : '\\t';
  });
