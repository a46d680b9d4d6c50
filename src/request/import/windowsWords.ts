import { Problem, sentence } from '../../protocol/problem.ts';

/**
 * Where a command of Windows goes on in the next line, as cmd and PowerShell write it; an argument that Chrome wrote for cmd; JSON in double
 * quotes of PowerShell.
 */
const cmd = /\^[ \t]*\r?\n|^\S+[^'\n]*?\s\^"/;
const powerShell = /`[ \t]*\r?\n|"\{\s*`"/;

/** The words of a command for cmd or PowerShell; undefined without signs of Windows. @throws Problem as `shellWords` */
export function windowsWords(text: string): readonly string[] | undefined {
  if (powerShell.test(text)) return powerShellWords(text);
  if (cmd.test(text)) return programWords(withoutCarets(text));
  if (!/^curl\.exe\s/i.test(text)) return undefined;
  // For cmd, single quotes are ordinary characters.
  return /\s'/.test(text) ? powerShellWords(text) : programWords(withoutCarets(text));
}

/**
 * A line as cmd reads it: outside of quotes a caret takes the meaning from what follows, also from the end of a line, so that a line feed
 * that is left belongs to a word.
 */
function withoutCarets(text: string): string {
  let isQuoted = false;
  return text.replaceAll(/\^[ \t]*\r?\n(\r?\n)?|\^([^])|"|\r?\n/g, (found: string, line?: string, character?: string) => {
    if (found === '"' || (isQuoted && character === '"')) isQuoted = !isQuoted;
    else if (character !== undefined) return isQuoted ? found : character;
    else if (line !== undefined) return '\n';
    else if (!isQuoted) return ' ';
    return found;
  });
}

/** Words by the rules of programs on Windows: only double quotes, doubled ones as one, and backslashes that escape only a quote. */
function programWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (const [token, slashes = '', quotes = ''] of line.matchAll(/(\\*)("+)|\\+|[ \t]+|[^\\" \t]+/g)) {
    if (quotes !== '') {
      const escaped = slashes.length % 2;
      const left = quotes.length - escaped;
      // Inside of quotes two are one; the last of an odd number ends them. Outside, the first begins them.
      const inside = isQuoted ? left : left - 1;
      word = (word ?? '') + '\\'.repeat(slashes.length >> 1) + '"'.repeat(escaped + Math.max(0, inside >> 1));
      if (left % 2 === 1) isQuoted = !isQuoted;
    } else if (isQuoted || !/^[ \t]/.test(token)) word = (word ?? '') + token;
    else {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  if (isQuoted) throw unclosed();
  return word === undefined ? words : [...words, word];
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

/** Words by the rules of PowerShell. Variables are kept as written. */
function powerShellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;
  const escaped = (): string => {
    const character = text[index++] ?? '';
    return escapes[character] ?? character;
  };
  /** Reads up to a quote that is not doubled. */
  const quoted = (close: string): string => {
    const pieces: string[] = [];
    for (let character = text[index++]; character !== undefined; character = text[index++]) {
      if (character === close && text[index] !== close) return pieces.join('');
      if (character === close) index += 1;
      pieces.push(character === '`' && close === '"' ? escaped() : character);
    }
    throw unclosed();
  };
  while (index < text.length) {
    const character = text[index++]!;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '"' || character === "'") word = (word ?? '') + quoted(character);
    // A line that goes on: the white space after it ends the word.
    else if (character !== '`') word = (word ?? '') + character;
    else if (!/\s/.test(text[index] ?? '')) word = (word ?? '') + escaped();
  }
  // Before PowerShell 7.3 the quotes of an argument have to be written as a program of Windows reads them.
  return [...words, ...(word === undefined ? [] : [word])].map(each =>
    /(?<!\\)"/.test(each) ? each : each.replaceAll(/(\\*)\\"/g, (_, slashes: string) => `${'\\'.repeat(slashes.length >> 1)}"`),
  );
}

const unclosed = (): Problem => new Problem('unreadable-command', sentence('Unclosed quote in the command.'));
