import * as z from 'zod';
import { A2AError } from '../../protocol/errors.ts';
import { sentence } from '../../protocol/problem.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { kindOf, neverTurns, type Check } from './check.ts';
import type { Observed } from './observed.ts';

/** That the agent refuses, and how. With this the error is what should come. */
export const error = kindOf(
  z.union([z.int(), z.string().min(1)]).meta({
    description:
      'The error that must come: its JSON-RPC code such as `-32001`, its name such as `TaskNotFoundError`, an HTTP status such as `500`, a gRPC status such as `UNAVAILABLE`, or a word of this tool for others, such as `unauthorized`.',
  }),
  (wanted, observed): Check[] => {
    const names = namesOf(observed);
    if (names.map(String).includes(String(wanted))) return [{ path: [] }];
    return [
      {
        path: [],
        failure: {
          message:
            observed.problem === undefined
              ? sentence('There was no error, although {0} should have come.', wanted)
              : sentence('Another error came than {0}: {1}', wanted, observed.problem.sentence),
          expected: String(wanted),
          actual: names.length > 0 ? names.join('\n') : (stateOf(observed) ?? '–'),
        },
      },
    ];
  },
  neverTurns,
);

/** All that an error can be called by, see `expect.error`. */
export function namesOf({ problem }: Pick<Observed, 'problem'>): readonly (string | number)[] {
  if (problem === undefined) return [];
  if (!(problem instanceof A2AError)) return [problem.code, ...problem.statuses];
  return [problem.rpcCode, ...(problem.errorName === undefined ? [] : [problem.errorName]), ...problem.statuses];
}

const stateOf = ({ task }: Observed): string | undefined => (task === undefined ? undefined : taskStates[task.status.state].label);
