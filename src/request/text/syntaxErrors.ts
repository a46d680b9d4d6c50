import { printParseErrorCode, type ParseError } from 'jsonc-parser';
import { exactTree } from './exactTree.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { maxDepth, nestingOf, type JsonNode } from './jsonNode.ts';
import { errorAt, type RequestProblem } from './requestProblem.ts';
import type { TextRange } from './textRange.ts';

/** `\{{` with a single backslash, which is not valid in JSON. */
const halfEscaped = /(?<!\\)(?:\\\\)*\\\{\{/;

/** A text that a quote inside of its template ends: the quotes of a default are those of JSON. */
const brokenTemplate = /"(?:[^"\\{]|\\.|\{(?!\{))*\{\{(?:[^"\\}]|\\.|\}(?!\}))*"[^{}]*\}\}/g;
/** How much of a line is looked at on each side of an error, in UTF-16 code units, and of how many errors. */
const around = 300;
const maxLooked = 20;

/** The codes of the parser in words. */
const codeWords: Readonly<Record<string, LocalizedMessage>> = {
  InvalidSymbol: sentence('invalid symbol'),
  InvalidNumberFormat: sentence('invalid number format'),
  PropertyNameExpected: sentence('property name expected'),
  ValueExpected: sentence('value expected'),
  ColonExpected: sentence('colon expected'),
  CommaExpected: sentence('comma expected'),
  CloseBraceExpected: sentence('close brace expected'),
  CloseBracketExpected: sentence('close bracket expected'),
  EndOfFileExpected: sentence('end of file expected'),
  InvalidCommentToken: sentence('invalid comment token'),
  UnexpectedEndOfComment: sentence('unexpected end of comment'),
  UnexpectedEndOfString: sentence('unexpected end of string'),
  UnexpectedEndOfNumber: sentence('unexpected end of number'),
  InvalidUnicode: sentence('invalid unicode'),
  InvalidEscapeCharacter: sentence('invalid escape character'),
  InvalidCharacter: sentence('invalid character'),
};

/** The message for an error of the parser. */
function syntaxError({ error, offset, length }: ParseError, text: string): RequestProblem {
  const words = codeWords[printParseErrorCode(error)] ?? printParseErrorCode(error);
  const isEscape = printParseErrorCode(error) === 'InvalidEscapeCharacter' && halfEscaped.test(text.slice(offset, offset + length));
  const what = isEscape
    ? sentence('The text is not valid JSON: {0}. For braces as text, write \\\\{{ in the file.', words)
    : sentence('The text is not valid JSON: {0}.', words);
  return { ...errorAt('syntax', { offset, length }, what), inSchema: true };
}

/** The tree of JSONC as far as it can be read, and its syntax errors. No tree where the text is nested too deeply. */
export function jsoncTree(text: string): { readonly root: JsonNode | undefined; readonly errors: readonly RequestProblem[] } {
  if (nestingOf(text) > maxDepth) return { root: undefined, errors: [] };
  const errors: ParseError[] = [];
  const root = exactTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  return { root, errors: syntaxProblems(errors, text) };
}

/** Syntax errors without consequential ones: only the first at each position, and none after a template with quotes on the same line. */
export function syntaxProblems(errors: readonly ParseError[], text: string): readonly RequestProblem[] {
  const seen = new Set<number>();
  let lineEnd = -1;
  return errors.flatMap((error, index): readonly RequestProblem[] => {
    const range = index < maxLooked ? brokenAt(text, error.offset) : undefined;
    if (error.offset < lineEnd || seen.has(error.offset)) return [];
    seen.add(error.offset);
    if (range === undefined) return [syntaxError(error, text)];
    const end = text.indexOf('\n', error.offset);
    lineEnd = end === -1 ? Infinity : end;
    const what = sentence(
      "The text is not valid JSON: a quote ends it in the middle of its template. Write '…' there, such as {{name ?? 'x'}}, or \\\"…\\\".",
    );
    return [{ ...errorAt('syntax', range, what), inSchema: true }];
  });
}

/** The text with a template in which an error of the parser is, if a quote is its reason. */
function brokenAt(text: string, offset: number): TextRange | undefined {
  const start = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - around);
  const line = text.slice(start, offset + around).split('\n', 1)[0] ?? '';
  if (!line.includes('{{')) return undefined;
  const found = [...line.matchAll(brokenTemplate)].find(
    ({ index, 0: whole }) => start + index < offset && offset <= start + index + whole.length,
  );
  return found && { offset: start + found.index, length: found[0].length };
}
