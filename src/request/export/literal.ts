import { piecesOf, type Piece } from './placeholder.ts';

/** How a language writes the values of JSON. */
export interface LiteralStyle {
  readonly true: string;
  readonly false: string;
  readonly null: string;
  text(pieces: readonly Piece[]): string;
}

/** A JSON value as an expression of a language, in JSON layout. */
export function literal(value: unknown, style: LiteralStyle, indent = ''): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return style.text(piecesOf(value));
  if (typeof value === 'boolean') return value ? style.true : style.false;
  if (value === null || value === undefined) return style.null;
  if (typeof value !== 'object') return JSON.stringify(value) ?? style.null;
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[\n${value.map(item => inner + literal(item, style, inner)).join(',\n')},\n${indent}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length === 0
    ? '{}'
    : `{\n${members.map(([name, member]) => `${inner}${JSON.stringify(name)}: ${literal(member, style, inner)}`).join(',\n')},\n${indent}}`;
}
