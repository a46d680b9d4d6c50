import { Problem, sentence } from '../../protocol/problem.ts';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', '0': '\0', '!': '!' };

/**
 * Splits a command of a POSIX shell into words. Handles both kinds of quotes, `$'…'`, backslashes and continued lines. Variables are kept
 * as written.
 * @throws Problem `unreadable-command` where a quote is not closed.
 */
export function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;
  const until = (close: string): string => {
    const end = text.indexOf(close, index);
    if (end === -1) throw new Problem('unreadable-command', sentence('Unclosed quote in the command.'));
    const inside = text.slice(index, end);
    index = end + 1;
    return inside;
  };
  /** Reads up to a quote without a backslash before it. */
  const escaped = (close: string, read: (character: string) => string): string => {
    const pieces: string[] = [];
    for (; text[index] !== close; index += 1) {
      if (index >= text.length) throw new Problem('unreadable-command', sentence('Unclosed quote in the command.'));
      if (text[index] === '\\') pieces.push(read(text[(index += 1)] ?? ''));
      else pieces.push(text[index] ?? '');
    }
    index += 1;
    return pieces.join('');
  };
  while (index < text.length) {
    const character = text[index] ?? '';
    index += 1;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'") word = (word ?? '') + until("'");
    else if (character === '"')
      word = (word ?? '') + escaped('"', next => (next === '\n' ? '' : '"\\$`'.includes(next) ? next : `\\${next}`));
    else if (character === '$' && text[index] === "'") {
      index += 1;
      word =
        (word ?? '') +
        escaped("'", next => {
          if (next !== 'u') return escapes[next] ?? `\\${next}`;
          const code = /^[0-9a-fA-F]{1,4}/.exec(text.slice(index + 1))?.[0] ?? '';
          index += code.length;
          return code === '' ? '\\u' : String.fromCharCode(parseInt(code, 16));
        });
    } else if (character === '\\') {
      const line = /^\r?\n/.exec(text.slice(index, index + 2))?.[0];
      word = line === undefined ? (word ?? '') + (text[index] ?? '') : word;
      index += line?.length ?? 1;
    } else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}
