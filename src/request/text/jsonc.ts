import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { isObject } from '../../protocol/json.ts';
import { nestedTooDeeply } from '../../protocol/json/nesting.ts';
import { withoutMark } from './byteOrderMark.ts';
import { maxDepth, nestingOf } from './jsonNode.ts';

/**
 * The value of JSON with comments and trailing commas, as far as it can be read; undefined for an empty text.
 * @throws Problem `json-too-deep`
 */
export function readJsonc(text: string): unknown {
  if (nestingOf(text) > maxDepth) throw nestedTooDeeply(maxDepth);
  const errors: ParseError[] = [];
  return parse(withoutMark(text), errors, { allowTrailingComma: true }) as unknown;
}

/**
 * The text with one more item at the beginning of the list that the member has; comments and layout stay. An empty text, and one without the
 * member, begin with what `otherwise` has.
 * @throws Problem `json-too-deep`
 */
export function withItem(text: string, member: string, item: unknown, otherwise: Readonly<Record<string, unknown>>): string {
  const tabSize = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const value = readJsonc(text);
  const list = isObject(value) ? value[member] : undefined;
  if (Array.isArray(list)) return applyEdits(text, modify(text, [member, 0], item, { formattingOptions, isArrayInsertion: true }));
  const begun = isObject(value) ? text : '{}';
  return Object.entries({ ...otherwise, [member]: [item] })
    .filter(([name]) => name === member || !isObject(value) || !(name in value))
    .reduce((written, [name, each]) => applyEdits(written, modify(written, [name], each, { formattingOptions })), begun);
}
