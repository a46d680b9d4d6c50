import { createScanner, type SyntaxKind } from 'jsonc-parser';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { withoutMark } from '../text/byteOrderMark.ts';
import { maxDepth, nestingOf } from '../text/jsonNode.ts';
import { positionAt } from '../text/textPosition.ts';
import { straightenQuotes } from './straightQuotes.ts';

// jsonc-parser declares these as a const enum, which a compiler that only strips types cannot inline.
const kind = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  nullWord: 7,
  trueWord: 8,
  falseWord: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  trivia: 15,
  endOfFile: 17,
} as const satisfies Record<string, SyntaxKind>;

const begins: readonly number[] = [
  kind.openBrace,
  kind.openBracket,
  kind.string,
  kind.number,
  kind.nullWord,
  kind.trueWord,
  kind.falseWord,
];
const ends: readonly number[] = [
  kind.closeBrace,
  kind.closeBracket,
  kind.string,
  kind.number,
  kind.nullWord,
  kind.trueWord,
  kind.falseWord,
];

interface Repaired {
  /** Strict JSON, unchanged apart from the repairs. */
  readonly text: string;
  /** Kinds of repairs, each once. */
  readonly repairs: readonly LocalizedMessage[];
}

/**
 * Makes JSON from documents and programs strict: removes comments and trailing commas, adds missing commas, straightens quotes, converts
 * Python's True, False and None, and removes a surrounding Markdown block. Of several values, such as a request and its answer, the first
 * is used.
 * @throws Problem `unreadable-json` where the result is still invalid or is nested too deeply.
 */
export function repairJson(source: string): Repaired {
  if (nestingOf(source) > maxDepth)
    throw new Problem('unreadable-json', sentence('This JSON is nested more than {0} levels deep.', maxDepth));
  const repairs = new Map<string, LocalizedMessage>();
  const note = (what: LocalizedMessage): void => void repairs.set(what.template, what);
  const text = straightenQuotes(unwrapped(source, note), note);
  const repaired = tokensOf(text, note);
  try {
    JSON.parse(repaired);
  } catch (cause) {
    const at = Number(/position (\d+)/.exec((cause as Error).message)?.[1] ?? repaired.length);
    const { line, column } = positionAt(repaired, at);
    throw new Problem('unreadable-json', sentence('This is not JSON, at line {0}, column {1}.', line, column), {
      nextStep: sentence('Copy the whole body, from its first brace to its last.'),
      details: repaired.slice(Math.max(0, at - 100), at + 100),
      cause,
    });
  }
  return { text: repaired, repairs: [...repairs.values()] };
}

function tokensOf(text: string, note: (what: LocalizedMessage) => void): string {
  const pieces: string[] = [];
  let comma: { readonly at: number } | undefined;
  let last = 0;
  let depth = 0;
  const scanner = createScanner(text, false);
  for (let token: number = scanner.scan(); token !== kind.endOfFile; token = scanner.scan()) {
    const written = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (token === kind.lineComment || token === kind.blockComment) {
      note(sentence('Comments were removed.'));
      continue;
    }
    if (token === kind.trivia || token === kind.lineBreak) {
      pieces.push(written);
      continue;
    }
    const closes = token === kind.closeBrace || token === kind.closeBracket;
    if (closes && comma !== undefined) {
      pieces.splice(comma.at, 1, '');
      note(sentence('Trailing commas were removed.'));
    }
    if (depth === 0 && last === kind.closeBrace && token === kind.openBrace) {
      note(sentence('Only the first of several objects was used.'));
      break;
    }
    if (begins.includes(token) && ends.includes(last)) {
      const after = pieces.findLastIndex(piece => piece.trim() !== '');
      pieces.splice(after + 1, 0, ',');
      note(sentence('Missing commas were added.'));
    }
    if (closes) depth -= 1;
    else if (token === kind.openBrace || token === kind.openBracket) depth += 1;
    comma = token === kind.comma ? { at: pieces.length } : undefined;
    pieces.push(written);
    last = token;
  }
  return pieces.join('').trim();
}

/** Removes what surrounds a body on a page: a byte order mark, a Markdown fence, a comment on the line where it begins. */
function unwrapped(source: string, note: (what: LocalizedMessage) => void): string {
  const trimmed = withoutMark(source).trim();
  const text = trimmed.startsWith('```') && trimmed.endsWith('```') ? trimmed.slice(trimmed.indexOf('\n') + 1, -3) : trimmed;
  // Where a page has lost its line breaks, the whole body would count as that comment.
  const swallowed = /^\s*\/\/[^{\n]*(?=\{)/.exec(text);
  if (swallowed === null) return text;
  note(sentence('Comments were removed.'));
  return text.slice(swallowed[0].length);
}
