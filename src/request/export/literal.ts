import { ExactNumber } from '../../protocol/exactNumber.ts';
import { Pieced, piecesOf, type Hole, type Piece } from '../text/pieced.ts';

/** How a language writes the values of JSON. */
export interface LiteralStyle {
  readonly true: string;
  readonly false: string;
  readonly null: string;
  text(pieces: readonly Piece[]): string;
  /** The value that a hole has as JSON. */
  json(hole: Hole): string;
  /** The name of a member, where it is not its JSON. */
  name?(name: string): string;
}

/** Names of members in an object literal of JavaScript, where `"__proto__":` would set the prototype. */
export const scriptName = (name: string): string => (name === '__proto__' ? '["__proto__"]' : JSON.stringify(name));

/** A JSON value as an expression of a language, in JSON layout. */
export function literal(value: unknown, style: LiteralStyle, indent = ''): string {
  const inner = `${indent}  `;
  if (value instanceof Pieced) {
    const [only] = value.pieces;
    return value.isJson && only !== undefined && 'variable' in only ? style.json(only) : style.text(value.pieces);
  }
  if (typeof value === 'string') return style.text(piecesOf(value));
  if (typeof value === 'boolean') return value ? style.true : style.false;
  if (value === null || value === undefined) return style.null;
  if (value instanceof ExactNumber) return value.digits;
  if (typeof value !== 'object') return JSON.stringify(value) ?? style.null;
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[\n${value.map(item => inner + literal(item, style, inner)).join(',\n')},\n${indent}]`;
  const { name: written = JSON.stringify } = style;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length === 0
    ? '{}'
    : `{\n${members.map(([name, member]) => `${inner}${written(name)}: ${literal(member, style, inner)}`).join(',\n')},\n${indent}}`;
}
