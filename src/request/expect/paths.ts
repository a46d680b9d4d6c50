import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';
import { follow, readPath } from '../text/path.ts';
import { referenceValues } from '../values/requestResult.ts';
import { kindOf, shown, type Check } from './check.ts';
import { asksExistence, isMatcher, mayTurn, meantMatcher, mismatches, refuseStrangers } from './matcher.ts';

/** Of a task these stay what they are. */
const settled: readonly string[] = ['task.id', 'task.contextId', 'context.id'];

/** True for a path into a result. */
export const readable = (path: string): boolean => readPath(stepped(path)) !== undefined;

/** Values anywhere in the result, by the paths that templates use too. */
export const paths = kindOf(
  z
    .record(
      z.string().refine(readable, { error: 'is not a path such as task.artifacts[0].name' }),
      z.unknown().superRefine(refuseStrangers),
    )
    .refine(wanted => Object.keys(wanted).length > 0, { error: 'names no path' })
    .meta({
      minProperties: 1,
      description:
        'Values of the result by path, such as `"task.artifacts[0].name": "boat.png"`. An object whose members are `equals`, `contains`, `matches`, `exists`, `type`, `min`, `max`, `length`, `in` or `not` says what the value must be like; to compare with an object that has such members, write it under `equals`.',
    }),
  (wanted, observed): Check[] =>
    Object.entries(wanted).flatMap(([written, one]): Check[] => {
      const path = readPath(stepped(written)) ?? [];
      const { value } = follow(referenceValues(observed), path);
      const matcher = meantAsMatcher(one) ? one : { equals: one };
      // What must not be like this has to be there all the same: a misspelt path would always hold.
      if (value === undefined && !asksExistence(matcher)) {
        const inValue =
          follow(referenceValues(observed), readPath(stepped(`value${stepped(written)}`)) ?? []).value === undefined
            ? undefined
            : `value${stepped(written)}`;
        const message =
          inValue === undefined
            ? sentence('The result has no {0}.', written)
            : sentence('The result has no {0}. Did you mean {1}?', written, inValue);
        return [{ path: [written], failure: { message, expected: shown('equals' in matcher ? matcher['equals'] : one) } }];
      }
      const wrong = mismatches(matcher, value);
      if (wrong.length === 0) return [{ path: [written] }];
      return wrong.map(({ name, what, expected, actual }) => ({
        path: matcher === one ? [written, name] : [written],
        failure:
          value === undefined
            ? { message: sentence('The result has no {0}.', written), expected, actual }
            : { message: sentence('{0} {1}.', written, what), expected, actual },
      }));
    }),
  wanted => isObject(wanted) && Object.entries(wanted).some(([path, one]) => isObject(one) && !settled.includes(path) && mayTurn(one)),
);

/** The path of a member starts without a dot. */
const stepped = (path: string): string => (path === '' || path.startsWith('[') ? path : `.${path}`);

/** An object without any matcher is the value itself. */
const meantAsMatcher = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && meantMatcher(Object.keys(value), true) && isMatcher(value);
