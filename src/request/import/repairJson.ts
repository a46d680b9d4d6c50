import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { withoutMark } from '../text/byteOrderMark.ts';
import { maxDepth, nestingOf } from '../text/jsonNode.ts';
import { closes, isComment, isSpace, jsonTokens, opens, tokenKind, type JsonToken } from '../text/jsonTokens.ts';
import { positionAt } from '../text/textPosition.ts';
import { straightenQuotes } from './straightQuotes.ts';

const values: readonly number[] = [tokenKind.string, tokenKind.number, tokenKind.nullWord, tokenKind.trueWord, tokenKind.falseWord];

const beginsValue = (token: JsonToken): boolean => opens(token) || values.includes(token.kind);
const endsValue = (token: JsonToken): boolean => closes(token) || values.includes(token.kind);

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
  let last: JsonToken | undefined;
  let depth = 0;
  for (const token of jsonTokens(text)) {
    const written = text.slice(token.start, token.end);
    if (isComment(token)) {
      note(sentence('Comments were removed.'));
      continue;
    }
    if (isSpace(token)) {
      pieces.push(written);
      continue;
    }
    if (closes(token) && comma !== undefined) {
      pieces.splice(comma.at, 1, '');
      note(sentence('Trailing commas were removed.'));
    }
    if (depth === 0 && last?.kind === tokenKind.closeBrace && token.kind === tokenKind.openBrace) {
      note(sentence('Only the first of several objects was used.'));
      break;
    }
    if (last !== undefined && beginsValue(token) && endsValue(last)) {
      const after = pieces.findLastIndex(piece => piece.trim() !== '');
      pieces.splice(after + 1, 0, ',');
      note(sentence('Missing commas were added.'));
    }
    if (closes(token)) depth -= 1;
    else if (opens(token)) depth += 1;
    comma = token.kind === tokenKind.comma ? { at: pieces.length } : undefined;
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
