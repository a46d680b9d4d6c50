import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { ExpectationResult } from '../../request/expect/expectations.ts';
import type { Observed } from '../../request/expect/observed.ts';

/** How a request came out. Times are milliseconds since the epoch, with fractions. */
export interface RequestOutcome extends Observed {
  /** Why there is no result, or why it may be incomplete. */
  readonly problem?: Problem;
  /** How each expectation of the request came out; absent where it has none. */
  readonly expectations?: readonly ExpectationResult[];
  /** The agent still worked on the task, which was not followed. */
  readonly left?: true;
  /** How often it was sent, where `retry` or `until` sent it again. */
  readonly sent?: number;
  /** A remark for the person. */
  readonly remark?: LocalizedMessage;
  /** How each row came out, where the request was sent several times; the outcome itself is then that of the last, with all times. */
  readonly rows?: readonly RowOutcome[];
  /** The answer beside its snapshot; absent where none is expected, and where nothing came to compare. */
  readonly snapshot?: ComparedSnapshot;
  /** Everything that went over the wire for it, in order. */
  readonly exchangeIds: readonly string[];
}

export interface ComparedSnapshot {
  readonly result: 'same' | 'written' | 'updated' | 'different' | 'missing';
  /** Name of the snapshot. */
  readonly name: string;
  /** The snapshot that the answer would be; set where it may take the place of the one that is kept. */
  readonly came?: unknown;
}

/** One of several sendings of a request. */
export interface RowOutcome {
  readonly label: string;
  /** Position among all rows of the data, from 0. */
  readonly index: number;
  readonly outcome: RequestOutcome;
}

/**
 * Several outcomes as one: everything of the last, the first problem, every exchange and expectation.
 * @throws Problem `bad-data` where there is none.
 */
export function together(rows: readonly RowOutcome[], startedAt: number): RequestOutcome {
  const outcomes = rows.map(({ outcome }) => outcome);
  const last = outcomes.at(-1);
  if (last === undefined) throw new Problem('bad-data', sentence('The data of the request has no rows, so nothing was sent.'));
  const expectations = outcomes.flatMap(outcome => outcome.expectations ?? []);
  const results: (RequestOutcome | undefined)[] = [];
  for (const { index, outcome } of rows) results[index] = outcome;
  return {
    ...last,
    rows,
    results,
    startedAt,
    problem: outcomes.find(outcome => outcome.problem !== undefined)?.problem,
    exchangeIds: outcomes.flatMap(({ exchangeIds }) => exchangeIds),
    expectations: last.expectations === undefined ? undefined : expectations,
  };
}

/** The error as a `Problem`; a defect goes to `onError`, too. */
export function problemOf(error: unknown, onError: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  onError(error);
  return new Problem('defect', sentence('Internal error in A2A Workbench: {0}', error instanceof Error ? error.message : String(error)), {
    nextStep: hint(sentence('The log has the details.'), 'Its stack is on standard error.'),
    cause: error,
  });
}
