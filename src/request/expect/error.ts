import * as z from 'zod';
import { A2AError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { listOf, sentence } from '../../protocol/problem.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { kindOf, neverTurns, type Check } from './check.ts';
import { choiceShape, chosen, narrowMatcher, notChosen } from './choice.ts';
import { Matcher, meantAsMatcher, mismatches, refuseStrangers } from './matcher.ts';
import type { Observed } from './observed.ts';
import { isIn } from './text.ts';

const Name = z.union([z.int(), z.string().min(1)]);
export const ErrorMatcher = narrowMatcher(choiceShape(Name), Name, notChosen);

/** Expectations of an error: its name, message and data. */
const Described = z
  .strictObject({
    ...ErrorMatcher.shape,
    exists: z.literal(true).meta({ description: 'Any error will do.' }).optional(),
    code: z
      .union([Name, z.array(Name).min(1), ErrorMatcher])
      .meta({ description: 'Code, name or status, as `error` alone has it; of several, any; or a matcher with `equals`, `in` or `not`.' })
      .optional(),
    message: z
      .union([z.string().min(1), Matcher])
      .meta({ description: "Text that the agent's message contains, or a matcher for it." })
      .optional(),
    data: z.unknown().superRefine(refuseData).meta({ description: 'What comes with the error: a value, or a matcher.' }).optional(),
  })
  .refine(wanted => Object.keys(wanted).length > 0, { error: sentence('it has no condition for the error').template })
  .meta({ minProperties: 1 });

function refuseData(wanted: unknown, context: z.RefinementCtx): void {
  refuseStrangers(wanted, context);
}

/** An expected error: the request must fail. */
export const error = kindOf(
  z.union([z.int(), z.string().min(1), z.array(Name).min(1), Described]).meta({
    description:
      'The expected error: its JSON-RPC code such as `-32001`, its name such as `TaskNotFoundError`, an HTTP status such as `500`, a gRPC status such as `UNAVAILABLE`, or this tool\'s own name for others, such as `unauthorized`; or a list of alternatives. Or an object: `in`, `not` and `exists`, and `code`, `message` and `data` of the error, such as `{ "code": -32602, "message": { "matches": "date" } }`.',
  }),
  (wanted, observed): Check[] => {
    const { problem } = observed;
    const names = namesOf(observed);
    const described = isObject(wanted) ? wanted : { code: wanted };
    const under = described === wanted ? ['code'] : [];
    const is = (one: unknown): boolean => names.map(String).includes(String(one));
    const called = [
      ...(described.code === undefined ? [] : chosen(described.code, is).map(one => ({ ...one, path: [...under, ...one.path] }))),
      ...(described === wanted ? chosen(described, is) : []),
    ];
    if (problem === undefined) {
      const any = called.filter(({ negated }) => !negated).flatMap(one => one.any);
      const message =
        any.length === 0
          ? sentence('Expected an error, but there was none.')
          : sentence('Expected the error {0}, but there was none.', listOf(any.map(String)));
      const expected = any.length === 0 ? JSON.stringify(wanted) : any.join('\n');
      return [{ path: [], failure: { message, expected, actual: stateOf(observed) ?? '–' } }];
    }
    return [
      ...called.map(({ path, any, negated, holds }): Check => {
        if (holds) return { path };
        const message = negated
          ? sentence('This error must not be returned: {0}', problem.sentence)
          : sentence('Expected the error {0}, got: {1}', listOf(any.map(String)), problem.sentence);
        return {
          path,
          failure: { message, expected: any.map(one => (negated ? `not ${String(one)}` : one)).join('\n'), actual: names.join('\n') },
        };
      }),
      ...held('message', described.message, problem instanceof A2AError ? problem.said : problem.message),
      ...held('data', described.data, problem instanceof A2AError ? problem.data : undefined),
      ...(described.exists === true ? [{ path: ['exists'] }] : []),
    ];
  },
  neverTurns,
);

/** Text alone is contained in the message; all else is a value or a matcher. */
function held(member: 'message' | 'data', wanted: unknown, value: unknown): Check[] {
  if (wanted === undefined) return [];
  const named = meantAsMatcher(wanted);
  const matcher = named ? wanted : member === 'message' ? { contains: wanted } : { equals: wanted };
  const wrong = member === 'message' ? mismatches(matcher, value, true, isIn) : mismatches(matcher, value);
  if (wrong.length === 0) return [{ path: [member] }];
  return wrong.map(({ name, what, expected, actual }) => ({
    path: named ? [member, name] : [member],
    failure: {
      message: member === 'message' ? sentence("The error's message {0}.", what) : sentence("The error's data {0}.", what),
      expected,
      actual,
    },
  }));
}

/** All that an error can be called by, see `expect.error`. */
export function namesOf({ problem }: Pick<Observed, 'problem'>): readonly (string | number)[] {
  if (problem === undefined) return [];
  if (!(problem instanceof A2AError)) return [problem.code, ...problem.statuses];
  return [problem.rpcCode, ...(problem.errorName === undefined ? [] : [problem.errorName]), ...problem.statuses];
}

const stateOf = ({ task }: Observed): string | undefined => (task === undefined ? undefined : taskStates[task.status.state].label);
