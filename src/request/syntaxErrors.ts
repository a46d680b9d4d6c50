import { parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { sentence } from '../protocol/problem.ts';
import { maxDepth, nestingOf, type JsonNode } from './jsonNode.ts';
import type { RequestProblem } from './requestProblem.ts';

/** An error of the parser, for people. */
export function syntaxError({ error, offset, length }: ParseError): RequestProblem {
  const words = printParseErrorCode(error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return { code: 'syntax', range: { offset, length }, sentence: sentence('The text is not valid JSON: {0}.', words), severity: 'error', inSchema: true };
}

/** The tree of JSON with comments and trailing commas as far as it can be read, and what is wrong with it; nothing of a text that is nested too deeply. */
export function jsoncTree(text: string): { readonly root: JsonNode | undefined; readonly errors: readonly RequestProblem[] } {
  if (nestingOf(text) > maxDepth) return { root: undefined, errors: [] };
  const errors: ParseError[] = [];
  return { root: parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true }), errors: errors.map(syntaxError) };
}
