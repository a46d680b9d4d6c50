import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';
import { follow, readPath } from '../path.ts';
import { referable } from '../requestResult.ts';
import { kindOf, type Check } from './check.ts';
import { isMatcher, matcherNames, mismatches } from './matcher.ts';

const readable = (path: string): boolean => readPath(stepped(path)) !== undefined;

/** Values anywhere in the result, by the paths that templates use too. */
export const paths = kindOf(
  z.record(z.string().refine(readable, { error: 'is no path such as task.artifacts[0].name' }), z.unknown())
    .meta({ description: 'Values of the result by path, such as `"task.artifacts[0].name": "boat.png"`. An object whose members are `equals`, `contains`, `matches`, `exists`, `type`, `min`, `max`, `length`, `in` or `not` says what the value must be like.' }),
  (wanted, observed): Check[] => Object.entries(wanted).flatMap(([written, one]): Check[] => {
    const path = readPath(stepped(written)) ?? [];
    const { value } = follow(referable(observed), path);
    const matcher = meantAsMatcher(one) ? one : { equals: one };
    const wrong = mismatches(matcher, value);
    if (wrong.length === 0) return [{ path: [written] }];
    return wrong.map(({ name, what, expected, actual }) => ({
      path: matcher === one ? [written, name] : [written],
      failure: value === undefined
        ? { message: sentence('The result has no {0}.', written), expected, actual }
        : { message: sentence('{0} {1}.', written, what), expected, actual },
    }));
  }),
);

/** The path of a member starts without a dot. */
const stepped = (path: string): string => (path === '' || path.startsWith('[') ? path : `.${path}`);

/** An object with other members besides is the value itself. */
const meantAsMatcher = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every(key => (matcherNames as readonly string[]).includes(key)) && isMatcher(value);
