import { parseTree, type ParseError, type ParseOptions } from 'jsonc-parser';
import { toExactNumber } from '../../protocol/exactNumber.ts';
import type { JsonNode } from './jsonNode.ts';

/** Like `parseTree`; a number with more digits than a double has is an `ExactNumber`, so that it is sent as it is written. */
export function exactTree(text: string, errors?: ParseError[], options?: ParseOptions): JsonNode | undefined {
  const root = parseTree(text, errors, options);
  if (root !== undefined) keepDigits(root, text);
  return root;
}

/** Fewer characters without an exponent are exact in a double. */
const exactLength = 15;

function keepDigits(node: JsonNode, text: string): void {
  if (node.type === 'number') {
    const digits = text.slice(node.offset, node.offset + node.length);
    // An unfinished number such as 1e has no digits to keep.
    if (digits.length > exactLength || /e[+-]?\d/i.test(digits)) (node as { value?: unknown }).value = toExactNumber(digits);
  }
  for (const child of node.children ?? []) keepDigits(child, text);
}
