import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { kindOf, neverTurns, type Check, type ExpectationKind } from './check.ts';
import { narrowMatcher } from './choice.ts';
import { mismatches } from './matcher.ts';
import type { Comparison } from './matcherRow.ts';
import type { Observed } from './observed.ts';
import { numberShape } from './sizeMatchers.ts';

const Ms = z.number().min(0);
export const TimeMatcher = narrowMatcher(
  numberShape,
  Ms,
  'What a number says where it stands alone must not be so; a matcher in here must not hold.',
);
/** A limit in milliseconds, or a matcher. */
export const WantedMs = z.union([Ms, TimeMatcher]);
export type WantedMs = z.infer<typeof WantedMs>;

/** The meaning of a bare number, and the words for a time that is not as wanted. */
export interface TimeWords {
  readonly sign: '≤' | '≥';
  readonly limit: (ms: number, wanted: number) => LocalizedMessage;
  /** @param what a verb with what follows: the time is its subject */
  readonly matcher: (ms: number, what: LocalizedMessage) => LocalizedMessage;
}

/**
 * Everything about a time that is not as wanted. A bare number is an exact limit; a matcher is compared with whole milliseconds, as they
 * are shown.
 */
export function timeFaults(wanted: WantedMs, ms: number, { sign, limit, matcher }: TimeWords): readonly Required<Check>[] {
  const told = Math.round(ms);
  const actual = `${told} ms`;
  const isSo = (bound: number, of: number): boolean => (sign === '≤' ? of <= bound : of >= bound);
  if (typeof wanted === 'number')
    return isSo(wanted, ms) ? [] : [{ path: [], failure: { message: limit(told, wanted), expected: `${sign} ${wanted} ms`, actual } }];
  const bare: Comparison = (bounds, of) => [bounds].flat().some(one => typeof one === 'number' && isSo(one, Number(of)));
  return mismatches(wanted, told, true, bare).map(({ name, what, expected = '' }) => ({
    path: [name],
    failure: { message: matcher(told, what), expected: `${expected} ms`, actual },
  }));
}

const took: TimeWords = {
  sign: '≤',
  limit: (ms, most) => sentence('Took {0} ms, expected at most {1} ms.', ms, most),
  matcher: (ms, what) => sentence('Took {0} ms, which {1}.', ms, what),
};

const limit = (description: string, timeOf: (observed: Observed) => number | undefined): ExpectationKind =>
  kindOf(
    WantedMs.meta({ description }),
    (wanted, observed): readonly Check[] => {
      const ms = timeOf(observed);
      if (ms === undefined) {
        const expected = isObject(wanted) ? JSON.stringify(wanted) : `≤ ${String(wanted)} ms`;
        return [{ path: [], failure: { message: sentence('No data came from the agent.'), expected, actual: '–' } }];
      }
      const faults = timeFaults(wanted, ms, took);
      return faults.length === 0 ? [{ path: [] }] : faults;
    },
    neverTurns,
  );

export const firstEventMs = limit(
  'Longest time until the first event, in milliseconds, or a matcher of numbers, such as `{ "lt": 500 }`.',
  ({ startedAt, firstEventAt }) => (firstEventAt === undefined ? undefined : firstEventAt - startedAt),
);
export const totalMs = limit(
  'Longest time until the request is finished, in milliseconds, or a matcher of numbers, such as `{ "gt": 10, "lt": 5000 }`.',
  ({ startedAt, endedAt }) => endedAt - startedAt,
);
