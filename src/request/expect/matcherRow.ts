import type * as z from 'zod';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { Failure } from './check.ts';

/** Whether a value is as one that is written without a matcher. */
export type Comparison = (wanted: unknown, value: unknown) => boolean;

/** Something about a value that is not as wanted. */
export interface Mismatch extends Pick<Failure, 'expected' | 'actual'> {
  readonly name: string;
  /** A verb with what follows: the value is its subject. */
  readonly what: LocalizedMessage;
}

/** What a value can be held against. */
export interface MatcherRow {
  readonly schema: z.ZodType;
  /** `present`: there is such a value. `bare`: how a value that is not a matcher is compared inside `not`. */
  holds(wanted: never, value: unknown, present: boolean, bare: Comparison): boolean;
  /** What is wrong, with what was wanted as its argument. */
  readonly otherwise: (wanted: string) => LocalizedMessage;
  /** Put before what was expected where that alone would look like the value that came. */
  readonly sign?: string;
  /** The same of a value of which more can be told; undefined where it cannot. */
  readonly why?: (wanted: never, value: unknown) => Pick<Mismatch, 'what' | 'expected' | 'actual'> | undefined;
}
