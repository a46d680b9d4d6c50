import { createScanner, type SyntaxKind } from 'jsonc-parser';
import { Problem, sentence, type Sentence } from '../../protocol/problem.ts';
import { positionAt } from '../textPosition.ts';

// jsonc-parser declares these as a const enum, which a type-stripping compiler cannot inline.
const kind = {
  openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6, nullWord: 7, trueWord: 8, falseWord: 9, string: 10, number: 11,
  lineComment: 12, blockComment: 13, lineBreak: 14, trivia: 15, endOfFile: 17,
} as const satisfies Record<string, SyntaxKind>;

const begins: readonly number[] = [kind.openBrace, kind.openBracket, kind.string, kind.number, kind.nullWord, kind.trueWord, kind.falseWord];
const ends: readonly number[] = [kind.closeBrace, kind.closeBracket, kind.string, kind.number, kind.nullWord, kind.trueWord, kind.falseWord];

export interface Repaired {
  /** Strict JSON; apart from the repairs as it was written. */
  readonly text: string;
  /** What was put right, each kind once. */
  readonly repairs: readonly Sentence[];
}

/**
 * JSON as documents print it made strict: without comments and trailing commas, with the commas that are missing, with straight quotes.
 * @throws Problem `unreadable-json` where it is none even so.
 */
export function repairJson(source: string): Repaired {
  const repairs = new Map<string, Sentence>();
  const note = (what: Sentence): void => void repairs.set(what.template, what);
  const text = straightened(source.replace(/^\ufeff/, ''), note);
  const pieces: string[] = [];
  let comma: { readonly at: number } | undefined;
  let last = 0;
  const scanner = createScanner(text, false);
  for (let token: number = scanner.scan(); token !== kind.endOfFile; token = scanner.scan()) {
    const written = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (token === kind.lineComment || token === kind.blockComment) {
      note(sentence('Comments were taken out.'));
      continue;
    }
    if (token === kind.trivia || token === kind.lineBreak) {
      pieces.push(written);
      continue;
    }
    if ((token === kind.closeBrace || token === kind.closeBracket) && comma !== undefined) {
      pieces.splice(comma.at, 1, '');
      note(sentence('Commas before a closing bracket were taken out.'));
    }
    if (begins.includes(token) && ends.includes(last)) {
      const after = pieces.findLastIndex(piece => piece.trim() !== '');
      pieces.splice(after + 1, 0, ',');
      note(sentence('Commas that were missing were put in.'));
    }
    comma = token === kind.comma ? { at: pieces.length } : undefined;
    pieces.push(written);
    last = token;
  }
  const repaired = pieces.join('').trim();
  try {
    JSON.parse(repaired);
  } catch (cause) {
    const at = Number(/position (\d+)/.exec((cause as Error).message)?.[1] ?? repaired.length);
    const { line, column } = positionAt(repaired, at);
    throw new Problem('unreadable-json', sentence('This is no JSON, at line {0}, column {1}.', line, column), {
      nextStep: sentence('Copy the whole body, from its first brace to its last.'), details: repaired.slice(Math.max(0, at - 100), at + 100), cause,
    });
  }
  return { text: repaired, repairs: [...repairs.values()] };
}

/** Word processors turn quotes; inside a string they may be meant. */
function straightened(text: string, note: (what: Sentence) => void): string {
  if (text.includes('"') || !/[“”]/.test(text)) return text;
  note(sentence('Curly quotes were made straight.'));
  return text.replaceAll(/[“”]/g, '"');
}
