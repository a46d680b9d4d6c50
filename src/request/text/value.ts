import type { TextRange } from './textRange.ts';

/** Where the value of a variable comes from, from the strongest to the weakest: see `valuesOf`. */
export const valueSources = ['row', 'option', 'private', 'environment', 'private-shared', 'shared', 'file'] as const;
export type ValueSource = (typeof valueSources)[number];

/** A variable that the file itself does not define. */
export interface Value {
  readonly value: unknown;
  readonly source: ValueSource;
  /** Taken as it is: what looks like a template in it is text. */
  readonly literal: boolean;
  /** Where it is written, for an environment. */
  readonly at?: { readonly path: string; readonly range: TextRange };
}

/** By name. */
export type Values = ReadonlyMap<string, Value>;

export const noValues: Values = new Map();

/** Nobody but the person may see it. */
export const isPrivate = ({ source }: Value): boolean => source === 'private' || source === 'private-shared';

/** Values from outside as they are, such as those of the command line or of a row of data. */
export const literals = (source: ValueSource, values: Readonly<Record<string, unknown>>): Values =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, source, literal: true }]));

/** Several sets as one; later ones win. */
export const merged = (...sets: readonly Values[]): Values => new Map(sets.flatMap(set => [...set]));
