import type { JsonNode } from './jsonNode.ts';
import type { TextRange } from './textRange.ts';

/**
 * Maps a range of a string's value to the source text: the opening quote is skipped, and an escape (`\n`, `\u00e9`) is several characters
 * of source for one of the value.
 */
export const sourceRange = (text: string, node: JsonNode, range: TextRange): TextRange => sourceRanges(text, node)(range);

/** As `sourceRange`, for several ranges. Linear time where each range begins at or after the end of the previous one. */
export function sourceRanges(text: string, node: JsonNode): (range: TextRange) => TextRange {
  const literal = text.slice(node.offset, node.offset + node.length);
  const plain = !literal.includes('\\');
  let [passed, index] = [0, 1];
  const indexOf = (valueIndex: number): number => {
    if (plain) return 1 + valueIndex;
    if (valueIndex < passed) [passed, index] = [0, 1];
    for (; passed < valueIndex; passed++) {
      if (literal[index] !== '\\') index++;
      else index += literal[index + 1] === 'u' ? 6 : 2;
    }
    return index;
  };
  return ({ offset, length }) => {
    const start = indexOf(offset);
    return { offset: node.offset + start, length: indexOf(offset + length) - start };
  };
}
