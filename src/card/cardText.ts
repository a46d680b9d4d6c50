import { findNodeAtLocation, parseTree, type ParseError } from 'jsonc-parser';
import { boundedText, type TextBounds } from '../protocol/boundedText.ts';
import { maxDepth, memberOf, nestingOf, valueOf, type JsonNode } from '../request/text/jsonNode.ts';
import type { TextRange } from '../request/text/textRange.ts';

/** The text of an agent card, read as far as it goes. */
export interface CardText {
  readonly text: string;
  readonly root: JsonNode;
  /** Which form the text has: with `supportedInterfaces` it is 1.0, with an address of its own 0.3 (or older), as the schema has it. */
  readonly form: '1.0' | '0.3';
  /** False while the text is no complete JSON. */
  readonly complete: boolean;
  /** What is not read, in the order of the text. */
  readonly omitted: readonly TextRange[];
}

/** So much of a card is read while one types: of each list as many as of a card that an agent sends. */
const cardBounds: TextBounds = { items: 1_000, depth: Number.POSITIVE_INFINITY, values: 100_000, characters: 8 * 1024 * 1024 };

/** Undefined for a text without an object at its root. Never throws. */
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

/** Where a path of members and indexes of the 1.0 form is in the text; undefined where the text has nothing there. */
export function nodeAt({ root, form }: CardText, path: readonly (string | number)[]): JsonNode | undefined {
  const [list, index] = path;
  if (form === '0.3' && list === 'supportedInterfaces' && typeof index === 'number') {
    return findNodeAtLocation(root, index === 0 ? ['url'] : ['additionalInterfaces', index - 1]);
  }
  return findNodeAtLocation(root, [...path]);
}

/** The JSON value of what is read of the text; undefined while it is no complete JSON. */
export const cardValue = ({ root, complete }: CardText): unknown => (complete ? valueOf(root) : undefined);
