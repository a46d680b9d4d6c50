import type * as z from 'zod';
import { beginningOf } from '../../protocol/ownText.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { Path } from '../text/path.ts';
import type { Observed } from './observed.ts';

/** One thing that was looked at. */
export interface Check {
  /** Where in the expectation it is written. */
  readonly path: Path;
  /** Absent where it is as expected. */
  readonly failure?: Failure;
}

export interface Failure {
  readonly message: LocalizedMessage;
  /** Texts to hold against each other. */
  readonly expected?: string;
  readonly actual?: string;
}

/** A kind of expectation: how it is written, and how it is held against what was observed. */
export interface ExpectationKind {
  readonly schema: z.ZodType;
  check(wanted: unknown, observed: Observed): readonly Check[];
  /**
   * True if it can hold while the agent works and no longer does when it has come to its end, such as a number of artifacts. A request that
   * returns at once is then followed to the end.
   */
  mayTurn(wanted: unknown): boolean;
}

/** `mayTurn` of kinds that, once they hold, hold to the end. */
export const neverTurns = (): boolean => false;

/** A row of the table. `check` gets what `schema` has read. */
export function kindOf<S extends z.ZodType>(
  schema: S,
  check: (wanted: z.infer<S>, observed: Observed) => readonly Check[],
  mayTurn: (wanted: unknown) => boolean,
): ExpectationKind {
  return { schema, check: (wanted, observed) => check(wanted as z.infer<S>, observed), mayTurn };
}

/** Longest text that is shown of a value. */
const maxLength = 100_000;

/** A value as text to compare: text as it is, all else as JSON with indents. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '–');
  return beginningOf(text, maxLength, '…');
}

/** A value inside a sentence. */
export function brief(value: unknown, maxLength = 80): string {
  const written = JSON.stringify(value) ?? '–';
  return beginningOf(written, maxLength, '…');
}
