import type { Node } from 'jsonc-parser';
import { sentence } from '../../protocol/problem.ts';
import type { TextRange } from './textRange.ts';

/** A node of the JSONC tree. In the tree of an incomplete text, properties may lack a value. */
export type JsonNode = Node;

/** Deepest nesting that is read. The parser is recursive, so deeper texts could exhaust the stack. */
export const maxDepth = 200;

/** The message for a file that is nested deeper. */
export const deepNesting = sentence('Objects and arrays are nested more than {0} levels deep, so this file is not read.', maxDepth);

export const rangeOf = ({ offset, length }: JsonNode): TextRange => ({ offset, length });

/**
 * Like `rangeOf`, limited to the text: for an object cut off by an unfinished comment, the parser returns a length that is one too long.
 */
export const rangeIn = (text: string, { offset, length }: JsonNode): TextRange => ({
  offset,
  length: Math.min(length, text.length - offset),
});

export interface Member {
  readonly name: string;
  readonly nameRange: TextRange;
  /** Absent while the property is being typed. */
  readonly value?: JsonNode;
}

/** The members of an object in text order; empty for any other node. */
export function membersOf(node: JsonNode | undefined): readonly Member[] {
  if (node?.type !== 'object') return none;
  const known = read.get(node);
  if (known !== undefined) return known;
  const members = (node.children ?? []).flatMap(({ children }): Member[] => {
    const [name, value] = children ?? [];
    return name === undefined ? [] : [{ name: String(name.value), nameRange: rangeOf(name), value }];
  });
  read.set(node, members);
  return members;
}

const none: readonly Member[] = [];
/** Cached, since checks use the same objects repeatedly. Trees are never changed. */
const read = new WeakMap<JsonNode, readonly Member[]>();

/** The last member of that name, as in `JSON.parse`. */
export function memberOf(node: JsonNode | undefined, name: string): Member | undefined {
  return membersOf(node).findLast(member => member.name === name);
}

/** The JSON value of a node. Incomplete members are left out; `__proto__` is an ordinary member. */
export function valueOf(node: JsonNode): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(membersOf(node).flatMap(({ name, value }) => (value === undefined ? [] : [[name, valueOf(value)]])));
    case 'array':
      return (node.children ?? []).map(valueOf);
    default:
      return node.value;
  }
}

/** The node at a path, or the last one on the way to it that exists. */
export function nodeAt(node: JsonNode | undefined, path: readonly (string | number)[]): JsonNode | undefined {
  let at = node;
  for (const step of path) {
    const next = at?.type === 'array' ? at.children?.[Number(step)] : memberOf(at, String(step))?.value;
    if (next === undefined) break;
    at = next;
  }
  return at;
}

/** All string values under a node, without member names. */
export function stringsIn(node: JsonNode): JsonNode[] {
  const found: JsonNode[] = [];
  const visit = (at: JsonNode): void => {
    if (at.type === 'string') found.push(at);
    else if (at.type === 'property') at.children?.slice(1).forEach(visit);
    else at.children?.forEach(visit);
  };
  visit(node);
  return found;
}

/** The deepest nesting of objects and arrays, in one pass without recursion. Ignores brackets in strings and comments. */
export function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x2f: // /
        index = endOfComment(text, index);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > deepest) deepest = depth;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        if (depth > 0) depth -= 1;
        break;
    }
  }
  return deepest;
}

/** Index of the closing quote, or of the line's end where there is none: a JSON string does not cross lines. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22 || code === 0x0a || code === 0x0d) return index;
    if (code === 0x5c) index += 1;
  }
  return index;
}

function endOfComment(text: string, start: number): number {
  const mark = text[start + 1];
  if (mark !== '/' && mark !== '*') return start;
  const end = text.indexOf(mark === '/' ? '\n' : '*/', start + 2);
  if (end === -1) return text.length;
  return mark === '/' ? end : end + 1;
}
