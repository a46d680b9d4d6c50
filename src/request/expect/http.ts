import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';
import { kindOf, neverTurns, shown, type Check } from './check.ts';
import { isMatcher, meantMatcher, mismatches, refuseStrangers } from './matcher.ts';
import type { Observed } from './observed.ts';

const Status = z.int().min(100).max(599);

/** The HTTP status of the answer (RFC 9110 §15). */
export const status = kindOf(
  z.union([Status, z.array(Status).min(1)]).meta({
    description:
      'The HTTP status of the answer, such as `401`; of several, any. With one from `400` on the request may be refused. Over gRPC use `error`.',
  }),
  (wanted, observed): Check[] => {
    const any = [wanted].flat();
    const actual = lastResponse(observed)?.status;
    if (actual !== undefined && any.includes(actual)) return [{ path: [] }];
    return [
      {
        path: [],
        failure: {
          message:
            actual === undefined
              ? sentence('There was no answer over HTTP, so its status is not {0}.', any.join(', '))
              : sentence('The HTTP status is {0}, not {1}.', actual, any.join(', ')),
          expected: any.join('\n'),
          ...(actual !== undefined && { actual: String(actual) }),
        },
      },
    ];
  },
  neverTurns,
);

/** The headers of the answer by name, whatever their case. Several of one name are one, as RFC 9110 §5.3 joins them. */
export const headers = kindOf(
  z
    .record(z.string().min(1), z.unknown().superRefine(refuseStrangers))
    .refine(wanted => Object.keys(wanted).length > 0, { error: 'names no header' })
    .meta({
      minProperties: 1,
      description:
        'Headers of the HTTP answer by name, such as `"www-authenticate": { "contains": "Bearer" }`: a text that is the whole value, or a matcher.',
    }),
  (wanted, observed): Check[] =>
    Object.entries(wanted).flatMap(([name, one]): Check[] => {
      const value = headerOf(observed, name);
      const matcher = isObject(one) && meantMatcher(Object.keys(one), true) && isMatcher(one) ? one : { equals: one };
      const wrong = mismatches(matcher, value, value !== undefined);
      if (wrong.length === 0) return [{ path: [name] }];
      return wrong.map(({ name: of, what, expected, actual }) => ({
        path: matcher === one ? [name, of] : [name],
        failure:
          value === undefined
            ? { message: sentence('The answer has no header {0}.', name), expected: expected ?? shown(one) }
            : { message: sentence('The header {0} {1}.', name, what), expected, actual },
      }));
    }),
  neverTurns,
);

const lastResponse = ({ responses = [] }: Observed) => responses.at(-1);

function headerOf(observed: Observed, name: string): string | undefined {
  const values = (lastResponse(observed)?.headers ?? []).filter(([one]) => one.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}
