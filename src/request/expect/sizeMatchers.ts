import * as z from 'zod';
import { compareNumbers, isNumber } from '../../protocol/exactNumber.ts';
import { sentence } from '../../protocol/problem.ts';
import { shown } from './check.ts';
import type { MatcherRow } from './matcherRow.ts';

const bound = (description: string) => z.number().meta({ description });
const count = (description: string) => z.int().min(0).meta({ description });
/** Matchers of the size of texts and lists. */
const lengthOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : Number.NaN);

const atLeast = {
  sign: '≥',
  holds: (wanted: number, value) => isNumber(value) && compareNumbers(value, wanted) >= 0,
  otherwise: wanted => sentence('is not at least {0}', wanted),
  mayTurn: 'never',
  asText: false,
} as const satisfies Omit<MatcherRow, 'schema'>;

const atMost = {
  sign: '≤',
  holds: (wanted: number, value) => isNumber(value) && compareNumbers(value, wanted) <= 0,
  otherwise: wanted => sentence('is not at most {0}', wanted),
  mayTurn: 'always',
  asText: false,
} as const satisfies Omit<MatcherRow, 'schema'>;

/** Matchers of numbers, and of the length of texts and lists. */
export const sizeMatchers = {
  min: { ...atLeast, schema: bound('The number is at least this.') },
  max: { ...atMost, schema: bound('The number is at most this.') },
  lt: {
    sign: '<',
    schema: bound('The number is less than this.'),
    holds: (wanted: number, value) => isNumber(value) && compareNumbers(value, wanted) < 0,
    otherwise: wanted => sentence('is not less than {0}', wanted),
    mayTurn: 'always',
    asText: false,
  },
  lte: { ...atMost, schema: bound('The number is at most this, as with `max`.') },
  gt: {
    sign: '>',
    schema: bound('The number is more than this.'),
    holds: (wanted: number, value) => isNumber(value) && compareNumbers(value, wanted) > 0,
    otherwise: wanted => sentence('is not more than {0}', wanted),
    mayTurn: 'never',
    asText: false,
  },
  gte: { ...atLeast, schema: bound('The number is at least this, as with `min`.') },
  closeTo: {
    schema: z
      .strictObject({
        value: bound('The number that is meant.'),
        within: z.number().min(0).meta({ description: 'How far the number may be from it.' }),
      })
      .meta({ description: 'The number is close to another one, such as `{ "value": 3.14, "within": 0.01 }`.' }),
    holds: (wanted: { readonly value: number; readonly within: number }, value) =>
      isNumber(value) && Math.abs(Number(value) - wanted.value) <= wanted.within,
    otherwise: wanted => sentence('is not close enough to {0}', wanted),
    why: ({ value: near, within }: { readonly value: number; readonly within: number }, value) =>
      isNumber(value)
        ? {
            what: sentence('is {0} away from {1}, more than {2}', Math.abs(Number(value) - near), near, within),
            expected: `${near} ± ${within}`,
            actual: shown(value),
          }
        : undefined,
    mayTurn: 'always',
    asText: false,
  },
  length: {
    schema: count('The text or array has this length.'),
    holds: (wanted: number, value) => lengthOf(value) === wanted,
    otherwise: wanted => sentence('does not have the length {0}', wanted),
    mayTurn: 'always',
    asText: false,
  },
  minLength: {
    sign: '≥',
    schema: count('The text or array is at least this long.'),
    holds: (wanted: number, value) => lengthOf(value) >= wanted,
    otherwise: wanted => sentence('is shorter than {0}', wanted),
    mayTurn: 'never',
    asText: false,
  },
  maxLength: {
    sign: '≤',
    schema: count('The text or array is at most this long.'),
    holds: (wanted: number, value) => lengthOf(value) <= wanted,
    otherwise: wanted => sentence('is longer than {0}', wanted),
    mayTurn: 'always',
    asText: false,
  },
} as const satisfies Readonly<Record<string, MatcherRow>>;

const { length: _length, minLength: _minLength, maxLength: _maxLength, ...ofNumbers } = sizeMatchers;
/** Members of a matcher that is for numbers alone. */
export const numberShape = Object.fromEntries(Object.entries(ofNumbers).map(([name, { schema }]) => [name, schema])) as {
  readonly [Name in keyof typeof ofNumbers]: (typeof ofNumbers)[Name]['schema'];
};
