import type * as z from 'zod';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { Failure } from './check.ts';

/** The comparison with a value that is written without a matcher. */
export type Comparison = (wanted: unknown, value: unknown) => boolean;

/** Something about a value that is not as wanted. */
export interface Mismatch extends Pick<Failure, 'expected' | 'actual'> {
  readonly name: string;
  /** A verb with what follows: the value is its subject. */
  readonly what: LocalizedMessage;
}

/** A matcher. */
export interface MatcherRow {
  readonly schema: z.ZodType;
  /** `present`: there is such a value. `bare`: how a value that is not a matcher is compared inside `not`. */
  holds(wanted: never, value: unknown, present: boolean, bare: Comparison): boolean;
  /** The mismatch, with the wanted value as its argument. */
  readonly otherwise: (wanted: string) => LocalizedMessage;
  /** Put before what was expected where that alone would look like the value that came. */
  readonly sign?: string;
  /** A more detailed mismatch, where there is one. */
  readonly why?: (wanted: never, value: unknown) => Pick<Mismatch, 'what' | 'expected' | 'actual'> | undefined;
  /** When a value that fits may no longer fit at the end of the task; `growing`: where it grows, as a text does that comes in pieces. */
  readonly mayTurn: 'never' | 'growing' | 'always' | ((wanted: never) => boolean);
  /** True where the wanted value becomes text to be compared with a text, as a number from a template does. */
  readonly asText: boolean;
}
