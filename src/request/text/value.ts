import type { TextRange } from './textRange.ts';

/** Sources of a variable's value, highest precedence first: see `valuesOf`. */
export const valueSources = ['row', 'option', 'private', 'environment', 'private-shared', 'shared', 'file'] as const;
export type ValueSource = (typeof valueSources)[number];

/** A variable that is not defined in the request file. */
export interface Value {
  readonly value: unknown;
  readonly source: ValueSource;
  /** True where the value is used as it is: templates in it are text. */
  readonly literal: boolean;
  /** Where it is written, for environments. */
  readonly at?: { readonly path: string; readonly range: TextRange };
}

/** By name. */
export type Values = ReadonlyMap<string, Value>;

export const noValues: Values = new Map();

/** True for values that only the person may see. */
export const isPrivate = ({ source }: Value): boolean => source === 'private' || source === 'private-shared';

/** Values that are used as they are, such as those from the command line or a row of data. */
export const literals = (source: ValueSource, values: Readonly<Record<string, unknown>>): Values =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, source, literal: true }]));

/** Merges sets; later ones take precedence. */
export const merged = (...sets: readonly Values[]): Values => new Map(sets.flatMap(set => [...set]));
