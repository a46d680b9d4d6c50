import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { listOf, sentence } from '../../protocol/problem.ts';
import { kindOf, neverTurns, shown, type Check } from './check.ts';
import { choiceShape, narrowMatcher, notChosen } from './choice.ts';
import { meantAsMatcher, mismatches, refuseStrangers } from './matcher.ts';
import type { Comparison } from './matcherRow.ts';
import type { Observed } from './observed.ts';
import { numberShape } from './sizeMatchers.ts';

const Status = z.int().min(100).max(599);

export const StatusMatcher = narrowMatcher({ ...choiceShape(Status), ...numberShape }, Status, notChosen);
const WantedStatus = z.union([Status, z.array(Status).min(1), StatusMatcher]);

const isAny: Comparison = (wanted, value) => [wanted].flat().includes(value);
const wrongIn = (wanted: object, actual: number) => mismatches(wanted as Readonly<Record<string, unknown>>, actual, true, isAny);

/** The HTTP status of the answer (RFC 9110 §15). */
export const status = kindOf(
  WantedStatus.meta({
    description:
      'The HTTP status of the answer, such as `401`, a list of alternatives, or a matcher such as `{ "lt": 500 }`. If it includes a status of 400 or above, such a refusal passes. Over gRPC use `error`.',
  }),
  (wanted, observed): Check[] => {
    const actual = statusOf(observed);
    const any = isObject(wanted) ? [JSON.stringify(wanted)] : [wanted].flat().map(String);
    if (actual === undefined)
      return [
        {
          path: [],
          failure: {
            message: sentence('There was no answer over HTTP, so its status is not {0}.', listOf(any)),
            expected: any.join('\n'),
          },
        },
      ];
    if (!isObject(wanted)) {
      if ([wanted].flat().includes(actual)) return [{ path: [] }];
      const message = sentence('The HTTP status is {0}, not {1}.', actual, listOf(any));
      return [{ path: [], failure: { message, expected: any.join('\n'), actual: String(actual) } }];
    }
    const wrong = wrongIn(wanted, actual);
    if (wrong.length === 0) return [{ path: [] }];
    return wrong.map(({ name, what, expected }) => ({
      path: [name],
      failure: { message: sentence('The HTTP status {0} {1}.', actual, what), expected, actual: String(actual) },
    }));
  },
  neverTurns,
);

const fits = (wanted: unknown, one: number): boolean => (isObject(wanted) ? wrongIn(wanted, one).length === 0 : isAny(wanted, one));

/**
 * True if the expectation allows a refusal: a status from 400 on is expected. A status that is fine as well, such as the 200 of an
 * error in JSON-RPC, allows no error.
 */
export function mayBeRefused(wanted: unknown, observed: Pick<Observed, 'responses'> = {}): boolean {
  if (wanted === undefined) return false;
  const actual = statusOf(observed);
  if (actual !== undefined && fits(wanted, actual)) return actual >= 400;
  return statuses.some(one => one >= 400 && fits(wanted, one));
}

/** True where no status is wanted but those of refusals. */
export const isOfRefusals = (wanted: unknown): boolean =>
  WantedStatus.safeParse(wanted).success && statuses.every(one => one >= 400 || !fits(wanted, one));

/** All that there can be; from 400 on they refuse (RFC 9110 §15). */
const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);

/** The headers of the answer by name, whatever their case. Several of one name are one, as RFC 9110 §5.3 joins them. */
export const headers = kindOf(
  z
    .record(z.string().min(1), z.unknown().superRefine(refuseStrangers))
    .refine(wanted => Object.keys(wanted).length > 0, { error: sentence('it names no header').template })
    .meta({
      minProperties: 1,
      description:
        'Headers of the HTTP answer by name, such as `"www-authenticate": { "contains": "Bearer" }`: a text that is the whole value, or a matcher.',
    }),
  (wanted, observed): Check[] =>
    Object.entries(wanted).flatMap(([name, one]): Check[] => {
      const value = headerOf(observed, name);
      const matcher = meantAsMatcher(one) ? one : { equals: one };
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

const lastResponse = ({ responses = [] }: Pick<Observed, 'responses'>) => responses.at(-1);
const statusOf = (observed: Pick<Observed, 'responses'>): number | undefined => lastResponse(observed)?.status;

function headerOf(observed: Observed, name: string): string | undefined {
  const values = (lastResponse(observed)?.headers ?? []).filter(([one]) => one.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}
