import { parseTree } from 'jsonc-parser';
import { memberOf, type JsonNode } from './jsonNode.ts';
import type { TextRange } from './textRange.ts';

/** Range of the name of the member at a path in JSONC. Where the path does not exist, the last member on the way that does. */
export function memberRange(text: string, path: readonly string[]): { readonly range: TextRange; readonly found: number } | undefined {
  let node: JsonNode | undefined = parseTree(text, [], { allowTrailingComma: true });
  let place: { readonly range: TextRange; readonly found: number } | undefined;
  for (const [index, name] of path.entries()) {
    const member = memberOf(node, name);
    if (member === undefined) break;
    place = { range: member.nameRange, found: index + 1 };
    node = member.value;
  }
  return place;
}
