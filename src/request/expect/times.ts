import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';
import { kindOf, neverTurns, type Check, type ExpectationKind } from './check.ts';
import { narrowMatcher } from './choice.ts';
import { mismatches } from './matcher.ts';
import type { Comparison } from './matcherRow.ts';
import type { Observed } from './observed.ts';
import { numberShape } from './sizeMatchers.ts';

const Ms = z.number().min(0);
export const TimeMatcher = narrowMatcher(numberShape, Ms, 'It took longer than this; a matcher in here must not hold.');

/** A number is the longest time, inside of `not` as where it stands alone. */
const isWithin: Comparison = (most, ms) => [most].flat().some(one => typeof one === 'number' && Number(ms) <= one);

const limit = (description: string, took: (observed: Observed) => number | undefined): ExpectationKind =>
  kindOf(
    z.union([Ms, TimeMatcher]).meta({ description }),
    (wanted, observed): Check[] => {
      const ms = took(observed);
      const matcher = isObject(wanted) ? wanted : { lte: wanted };
      const named = matcher === wanted;
      if (ms === undefined) {
        const expected = named ? JSON.stringify(wanted) : `≤ ${String(wanted)} ms`;
        return [{ path: [], failure: { message: sentence('Nothing came from the agent.'), expected, actual: '–' } }];
      }
      // A bare limit is exact; what is compared with a matcher is what the sentence says.
      const wrong = mismatches(matcher, named ? Math.round(ms) : ms, true, isWithin);
      if (wrong.length === 0) return [{ path: [] }];
      return wrong.map(({ name, what, expected = '' }) => ({
        path: named ? [name] : [],
        failure: {
          message: named
            ? sentence('It took {0} ms, which {1}.', Math.round(ms), what)
            : sentence('It took {0} ms, more than {1} ms.', Math.round(ms), Number(wanted)),
          expected: `${expected} ms`,
          actual: `${Math.round(ms)} ms`,
        },
      }));
    },
    neverTurns,
  );

export const firstEventMs = limit(
  'Longest time until the agent says anything, in milliseconds, or a matcher of numbers, such as `{ "lt": 500 }`.',
  ({ startedAt, firstEventAt }) => (firstEventAt === undefined ? undefined : firstEventAt - startedAt),
);
export const totalMs = limit(
  'Longest time until the request is over, in milliseconds, or a matcher of numbers, such as `{ "gt": 10, "lt": 5000 }`.',
  ({ startedAt, endedAt }) => endedAt - startedAt,
);
