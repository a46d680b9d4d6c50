import type { Scope } from '../resolve/fill.ts';
import { headerPieces } from '../template/headerTemplate.ts';
import { promptVariable, secretVariable } from '../template/variableNames.ts';
import { isPrivate, type Value } from '../text/value.ts';

/** Part of a text: literal text, or the name of an environment variable. */
export type Piece = { readonly text: string } | { readonly variable: string };

// A character that does not occur in text that people write.
const edge = '\u0000';

/** A placeholder for an environment variable, so that generated code contains no secrets. */
export const placeholder = (variable: string): string => `${edge}${variable}${edge}`;

const marked = new RegExp(`${edge}([A-Za-z_][A-Za-z0-9_]*)${edge}`);

/** The word that names how a credential is meant; alone before a template it is no part of the secret. */
const scheme = /^(?:basic|bearer|digest|negotiate|dpop|token) $/i;

/** The value of an agent's header without secrets: a stored secret or a variable by its own name, anything else by that of the header. */
export function headerPlaceholder(header: string, value: string): string {
  const pieces = headerPieces(value);
  if (pieces.every(({ kind }) => kind === 'text') || pieces.some(piece => 'text' in piece && !scheme.test(piece.text)))
    return placeholder(secretVariable(header));
  return pieces
    .map(piece => ('text' in piece ? piece.text : placeholder(piece.kind === 'env' ? piece.name : secretVariable(piece.name))))
    .join('');
}

/** Splits a text at its placeholders; never empty. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces = text
    .split(marked)
    .map((piece, index): Piece => (index % 2 === 1 ? { variable: piece } : { text: piece }))
    .filter(piece => !('text' in piece) || piece.text !== '');
  return pieces.length > 0 ? pieces : [{ text: '' }];
}

/** The variables that a value's texts use, without duplicates. */
export function variablesIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (at: unknown): void => {
    if (typeof at === 'string') for (const piece of piecesOf(at)) if ('variable' in piece) found.add(piece.variable);
    if (typeof at === 'object' && at !== null) Object.values(at).forEach(visit);
  };
  visit(value);
  return [...found];
}

/** A scope that returns placeholders for secrets, private values and prompts. */
export function withPlaceholders(scope: Scope): Scope {
  const { functions, values } = scope;
  const { sources } = functions;
  return {
    ...scope,
    functions:
      sources === undefined
        ? functions
        : {
            ...functions,
            sources: {
              env: name => placeholder(name),
              file: path => sources.file(path),
              secret: async name => placeholder(secretVariable(name)),
              prompt: async label => placeholder(promptVariable(label)),
            },
          },
    values:
      values &&
      new Map(
        [...values].map(([name, value]): [string, Value] => [
          name,
          isPrivate(value) && typeof value.value === 'string'
            ? { ...value, value: placeholder(secretVariable(name)), literal: true }
            : value,
        ]),
      ),
  };
}
