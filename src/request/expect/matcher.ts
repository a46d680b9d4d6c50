import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { ExactNumber } from '../../protocol/json/exactNumber.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { isOfType } from '../../protocol/schema/keywords.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { shown, type Failure } from './check.ts';
import { matches } from './pattern.ts';

interface MatcherRow {
  readonly schema: z.ZodType;
  /** `present`: there is such a value. `bare`: how a value that is not a matcher is compared inside `not`. */
  holds(wanted: never, value: unknown, present: boolean, bare: Comparison): boolean;
  /** What is wrong, with what was wanted as its argument. */
  readonly otherwise: (wanted: string) => LocalizedMessage;
}

/**
 * True for equal JSON values.
 * @throws Problem `number-not-exact` where a number is expected that other numbers of an answer are rounded to
 */
function isSame(wanted: unknown, value: unknown): boolean {
  const number = typeof value === typeof wanted || typeof value === 'number' ? roundedNumberIn(wanted) : undefined;
  if (number !== undefined)
    throw new Problem(
      'number-not-exact',
      sentence('{0} cannot be compared: numbers of an answer are read with about 16 digits, so others would be equal to it.', number),
    );
  return isDeepStrictEqual(wanted, value);
}

/** The first whole number in a value beyond those that a double tells apart, as text. */
function roundedNumberIn(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.digits;
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = roundedNumberIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a value is as one that is written without a matcher. */
export type Comparison = (wanted: unknown, value: unknown) => boolean;

export const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
const text = z.string();
/** Not a number of many digits, which is an object of this program alone. */
const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value) && !(value instanceof ExactNumber);

/** What a value can be held against. Adding one is adding a row. `undefined` stands for a value that is not there. */
const rows = {
  equals: {
    schema: z.unknown().meta({ description: 'The value is exactly this.' }),
    holds: (wanted: unknown, value) => isSame(wanted, value),
    otherwise: wanted => sentence('is not {0}', wanted),
  },
  not: {
    schema: z
      .unknown()
      .superRefine((wanted, context) => refuseStrangers(wanted, context, false))
      .meta({
        description:
          'The value is anything but this; under `text`, the text does not contain this. A matcher in here must not hold, such as `{ "not": { "contains": "error" } }`.',
      }),
    holds: (wanted: unknown, value, present, bare) =>
      isJsonObject(wanted) ? mismatches(wanted, value, present, bare).length > 0 : !bare(wanted, value),
    otherwise: wanted => sentence('is as it must not be: {0}', wanted),
  },
  in: {
    schema: z.array(z.unknown()).meta({ description: 'The value is one of these.' }),
    holds: (wanted: readonly unknown[], value) => wanted.some(item => isSame(item, value)),
    otherwise: wanted => sentence('is none of {0}', wanted),
  },
  contains: {
    schema: z.unknown().meta({ description: 'The text has this in it, or the array has this item.' }),
    holds: (wanted: unknown, value) =>
      Array.isArray(value) ? value.some(item => isSame(wanted, item)) : typeof value === 'string' && value.includes(String(wanted)),
    otherwise: wanted => sentence('does not contain {0}', wanted),
  },
  matches: {
    schema: text.min(1).meta({ description: 'The text has a match of this regular expression, as JavaScript writes it, flag `u`.' }),
    holds: (wanted: string, value) => typeof value === 'string' && matches(wanted, value),
    otherwise: wanted => sentence('does not match {0}', wanted),
  },
  exists: {
    schema: z.boolean().meta({ description: 'True: there is such a value, whichever. False: there is none.' }),
    holds: (wanted: boolean, _value, present) => present === wanted,
    otherwise: wanted => (wanted === 'true' ? sentence('is not there') : sentence('is there')),
  },
  type: {
    schema: z.enum(jsonTypes).meta({ description: 'The value is of this JSON type.' }),
    holds: (wanted: (typeof jsonTypes)[number], value) => isOfType[wanted]!(value),
    otherwise: wanted => sentence('is not of type {0}', wanted),
  },
  min: {
    schema: z.number().meta({ description: 'The number is at least this.' }),
    holds: (wanted: number, value) => typeof value === 'number' && value >= wanted,
    otherwise: wanted => sentence('is not at least {0}', wanted),
  },
  max: {
    schema: z.number().meta({ description: 'The number is at most this.' }),
    holds: (wanted: number, value) => typeof value === 'number' && value <= wanted,
    otherwise: wanted => sentence('is not at most {0}', wanted),
  },
  length: {
    schema: z.int().min(0).meta({ description: 'The text or array has this length.' }),
    holds: (wanted: number, value) => (typeof value === 'string' || Array.isArray(value)) && value.length === wanted,
    otherwise: wanted => sentence('has not the length {0}', wanted),
  },
} as const satisfies Readonly<Record<string, MatcherRow>>;

type MatcherName = keyof typeof rows;

/** Members all of which must hold. */
export const Matcher = z
  .strictObject(Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema.optional()])))
  .refine(matcher => Object.keys(matcher).length > 0, { error: 'names no matcher' })
  .meta({ description: 'What the value must be like; everything named must hold.', minProperties: 1 });

export const matcherNames = Object.keys(rows) as readonly MatcherName[];

/** True for an object that is written as a matcher and not as the value itself. */
export const isMatcher = (value: unknown): value is Readonly<Record<string, unknown>> => Matcher.safeParse(value).success;

export interface Mismatch extends Pick<Failure, 'expected' | 'actual'> {
  readonly name: MatcherName;
  /** A verb with what follows: the value is its subject. */
  readonly what: LocalizedMessage;
}

/** Shorter names are like too many others. */
const shortest = 4;

const isName = (name: string): boolean => Object.hasOwn(rows, name);

/** True for an object with these members that says what a value must be like. `literal`: it may also be the value itself. */
export const meantMatcher = (names: readonly string[], literal: boolean): boolean =>
  names.length > 0 &&
  (!literal || names.some(name => isName(name) || (name.length >= shortest && closestMatch(name, matcherNames) !== undefined)));

/** Of these members of an object, those that are no matchers and should be: misspelt ones, and others beside matchers. */
export const strangersIn = (names: readonly string[], literal: boolean): readonly string[] =>
  meantMatcher(names, literal) ? names.filter(name => !isName(name)) : [];

/** A check of zod: an object that is meant as a matcher has no other members. */
export function refuseStrangers(wanted: unknown, context: z.RefinementCtx, literal = true): void {
  // An empty one could never hold, and its opposite always would.
  if (!literal && isJsonObject(wanted) && Object.keys(wanted).length === 0)
    context.addIssue({ code: 'custom', message: 'names no matcher' });
  for (const name of isJsonObject(wanted) ? strangersIn(Object.keys(wanted), literal) : []) {
    context.addIssue({ code: 'custom', path: [name], message: 'is not a matcher' });
  }
}

/**
 * Everything about a value that is not as wanted. A value that is not there is `undefined`, or is said to be not `present`. `bare`: see `MatcherRow`.
 * @throws Problem of `matches`
 */
export function mismatches(
  matcher: Readonly<Record<string, unknown>>,
  value: unknown,
  present = value !== undefined,
  bare: Comparison = isSame,
): Mismatch[] {
  return matcherNames
    .filter(name => Object.hasOwn(matcher, name))
    .flatMap(name => {
      const row: MatcherRow = rows[name];
      const wanted = matcher[name];
      if (row.holds(wanted as never, value, present, bare)) return [];
      return [
        {
          name,
          what: row.otherwise(brief(wanted)),
          expected: name === 'not' ? `not ${shown(wanted)}` : shown(wanted),
          actual: value === undefined ? undefined : shown(value),
        },
      ];
    });
}

/** True for a matcher that says whether there is a value at all. */
export const asksExistence = (matcher: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(matcher, 'exists') || (isJsonObject(matcher['not']) && asksExistence(matcher['not']));

/** A value inside a sentence. */
export function brief(value: unknown, maxLength = 80): string {
  const written = JSON.stringify(value) ?? '–';
  return written.length > maxLength ? `${written.slice(0, maxLength)}…` : written;
}

/** Whether a value that is as the matcher says may cease to be so as more comes. `also`: further matchers of which that is true. */
export const mayTurn = (matcher: Readonly<Record<string, unknown>>, also: readonly string[] = []): boolean =>
  matcher['exists'] === false || ['not', 'max', 'length', ...also].some(name => Object.hasOwn(matcher, name));
