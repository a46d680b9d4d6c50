import type { Scope } from '../resolve/fill.ts';
import { promptVariable, secretVariable } from '../template/variableNames.ts';
import { isPrivate, type Value } from '../text/value.ts';

/** A piece of a text: as it is, or what an environment variable holds. */
export type Piece = { readonly text: string } | { readonly variable: string };

// No text that people write has this character.
const edge = '\u0000';

/** A text that stands for what an environment variable holds, so that no secret gets into code. */
export const placeholder = (variable: string): string => `${edge}${variable}${edge}`;

const marked = new RegExp(`${edge}([A-Za-z_][A-Za-z0-9_]*)${edge}`);

/** Takes a text with placeholders apart; never empty. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces = text
    .split(marked)
    .map((piece, index): Piece => (index % 2 === 1 ? { variable: piece } : { text: piece }))
    .filter(piece => !('text' in piece) || piece.text !== '');
  return pieces.length > 0 ? pieces : [{ text: '' }];
}

/** The variables that a value's texts ask for, each once. */
export function variablesIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (at: unknown): void => {
    if (typeof at === 'string') for (const piece of piecesOf(at)) if ('variable' in piece) found.add(piece.variable);
    if (typeof at === 'object' && at !== null) Object.values(at).forEach(visit);
  };
  visit(value);
  return [...found];
}

/** A scope that gives placeholders for secrets, private values and what the person is asked. */
export function withPlaceholders(scope: Scope): Scope {
  const { functions, values } = scope;
  const { reach } = functions;
  return {
    ...scope,
    functions:
      reach === undefined
        ? functions
        : {
            ...functions,
            reach: {
              env: name => placeholder(name),
              file: path => reach.file(path),
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
