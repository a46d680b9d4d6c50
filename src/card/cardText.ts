import { findNodeAtLocation, parseTree, type ParseError } from 'jsonc-parser';
import { boundedText, type TextBounds } from '../protocol/boundedText.ts';
import { maxDepth, memberOf, nestingOf, valueOf, type JsonNode } from '../request/text/jsonNode.ts';
import type { TextRange } from '../request/text/textRange.ts';

/** The parsed text of an agent card; incomplete text is parsed as far as possible. */
export interface CardText {
  readonly text: string;
  readonly root: JsonNode;
  /** The card's version, as the schema decides it: with `supportedInterfaces` 1.0, with a `url` of its own 0.3 or older. */
  readonly form: '1.0' | '0.3';
  /** False while the text is not complete JSON. */
  readonly complete: boolean;
  /** Ranges that were not parsed (see `cardBounds`), in the order of the text. */
  readonly omitted: readonly TextRange[];
}

/** How much of a card is parsed while the user types; `items` is the bound per list, the same as for a card received from an agent. */
const cardBounds: TextBounds = { items: 1_000, depth: Number.POSITIVE_INFINITY, values: 100_000, characters: 8 * 1024 * 1024 };

/** Returns undefined for a text without an object at its root. Never throws. */
export function readCardText(written: string): CardText | undefined {
  const { text, omitted } = boundedText(written, cardBounds);
  if (nestingOf(text) > maxDepth) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type !== 'object') return undefined;
  return { text, root, form: formOf(root), complete: errors.length === 0, omitted };
}

function formOf(root: JsonNode): CardText['form'] {
  if (memberOf(root, 'supportedInterfaces') !== undefined) return '1.0';
  const version = memberOf(root, 'protocolVersion')?.value?.value;
  return memberOf(root, 'url') !== undefined || (typeof version === 'string' && version.startsWith('0.')) ? '0.3' : '1.0';
}

/** The node at a path of 1.0 member names and indexes; undefined where the text has none. */
export function nodeAt({ root, form }: CardText, path: readonly (string | number)[]): JsonNode | undefined {
  const [list, index] = path;
  if (form === '0.3' && list === 'supportedInterfaces' && typeof index === 'number') {
    return findNodeAtLocation(root, index === 0 ? ['url'] : ['additionalInterfaces', index - 1]);
  }
  return findNodeAtLocation(root, [...path]);
}

/** The parsed JSON value; undefined while the text is not complete JSON. */
export const cardValue = ({ root, complete }: CardText): unknown => (complete ? valueOf(root) : undefined);
