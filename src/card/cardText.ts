import { parseTree, type ParseError } from 'jsonc-parser';
import { maxDepth, memberOf, nestingOf, valueOf, type JsonNode } from '../request/jsonNode.ts';

/** The text of an agent card, read as far as it goes. */
export interface CardText {
  readonly text: string;
  readonly root: JsonNode;
  /** Which form the text has: with `supportedInterfaces` it is 1.0, with an address of its own 0.3 (or older), as the schema has it. */
  readonly form: '1.0' | '0.3';
  /** False while the text is no complete JSON. */
  readonly complete: boolean;
}

/** Undefined for a text without an object at its root. Never throws. */
export function readCardText(text: string): CardText | undefined {
  if (nestingOf(text) > maxDepth) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type !== 'object') return undefined;
  return { text, root, form: formOf(root), complete: errors.length === 0 };
}

function formOf(root: JsonNode): CardText['form'] {
  if (memberOf(root, 'supportedInterfaces') !== undefined) return '1.0';
  const version = memberOf(root, 'protocolVersion')?.value?.value;
  return memberOf(root, 'url') !== undefined || (typeof version === 'string' && version.startsWith('0.')) ? '0.3' : '1.0';
}

/** The JSON value of the text; undefined while it is no complete JSON. */
export const cardValue = ({ root, complete }: CardText): unknown => (complete ? valueOf(root) : undefined);
