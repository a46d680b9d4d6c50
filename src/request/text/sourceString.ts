import type { JsonNode } from './jsonNode.ts';
import type { TextRange } from './textRange.ts';

/**
 * Where a range of a string's value stands in the text that wrote it: the opening quote is skipped, and an escape (`\n`, `\u00e9`) is
 * several characters of text for one of the value.
 */
export const sourceRange = (text: string, node: JsonNode, range: TextRange): TextRange => sourceRanges(text, node)(range);

/** As `sourceRange`, for one range after the other, in time linear in the string as long as each begins where the last ended or later. */
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
