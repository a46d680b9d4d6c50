import type { JsonNode } from './jsonNode.ts';
import type { TextRange } from './textRange.ts';

/**
 * Where a range of a string's value stands in the text that wrote it: the opening quote is skipped, and an escape (`\n`, `\u00e9`) is
 * several characters of text for one of the value.
 */
export function sourceRange(text: string, node: JsonNode, range: TextRange): TextRange {
  const literal = text.slice(node.offset, node.offset + node.length);
  const start = sourceIndex(literal, range.offset);
  return { offset: node.offset + start, length: sourceIndex(literal, range.offset + range.length) - start };
}

function sourceIndex(literal: string, valueIndex: number): number {
  if (!literal.includes('\\')) return 1 + valueIndex;
  let index = 1;
  for (let passed = 0; passed < valueIndex; passed += 1) {
    if (literal[index] !== '\\') index += 1;
    else index += literal[index + 1] === 'u' ? 6 : 2;
  }
  return index;
}
