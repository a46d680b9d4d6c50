import { parse, type ParseError } from 'jsonc-parser';
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
