import { printParseErrorCode, type ParseError } from 'jsonc-parser';
import { exactTree } from './exactTree.ts';
import { sentence } from '../../protocol/problem.ts';
import { maxDepth, nestingOf, type JsonNode } from './jsonNode.ts';
import type { RequestProblem } from './requestProblem.ts';

/** `\{{` with a single backslash, which is not valid in JSON. */
const halfEscaped = /(?<!\\)(?:\\\\)*\\\{\{/;

/** The message for an error of the parser. */
export function syntaxError({ error, offset, length }: ParseError, text: string): RequestProblem {
  const words = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const isEscape = printParseErrorCode(error) === 'InvalidEscapeCharacter' && halfEscaped.test(text.slice(offset, offset + length));
  const what = isEscape
    ? sentence('The text is not valid JSON: {0}. For braces as text, write \\\\{{ in the file.', words)
    : sentence('The text is not valid JSON: {0}.', words);
  return { code: 'syntax', range: { offset, length }, sentence: what, severity: 'error', inSchema: true };
}

/** The tree of JSONC as far as it can be read, and its syntax errors. No tree where the text is nested too deeply. */
export function jsoncTree(text: string): { readonly root: JsonNode | undefined; readonly errors: readonly RequestProblem[] } {
  if (nestingOf(text) > maxDepth) return { root: undefined, errors: [] };
  const errors: ParseError[] = [];
  return {
    root: exactTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true }),
    errors: errors.map(error => syntaxError(error, text)),
  };
}
