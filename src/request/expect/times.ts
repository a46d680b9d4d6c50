import * as z from 'zod';
import { sentence } from '../../protocol/problem.ts';
import { kindOf, neverTurns, type Check, type ExpectationKind } from './check.ts';
import type { Observed } from './observed.ts';

const limit = (description: string, took: (observed: Observed) => number | undefined): ExpectationKind =>
  kindOf(
    z.number().min(0).meta({ description }),
    (most, observed): Check[] => {
      const ms = took(observed);
      if (ms !== undefined && ms <= most) return [{ path: [] }];
      return [
        {
          path: [],
          failure: {
            message:
              ms === undefined
                ? sentence('Nothing came from the agent.')
                : sentence('It took {0} ms, more than {1} ms.', Math.round(ms), most),
            expected: `≤ ${most} ms`,
            actual: ms === undefined ? '–' : `${Math.round(ms)} ms`,
          },
        },
      ];
    },
    neverTurns,
  );

export const firstEventMs = limit('Longest time until the agent says anything, in milliseconds.', ({ startedAt, firstEventAt }) =>
  firstEventAt === undefined ? undefined : firstEventAt - startedAt,
);
export const totalMs = limit('Longest time until the request is over, in milliseconds.', ({ startedAt, endedAt }) => endedAt - startedAt);
