import * as z from 'zod';
import { isObject } from '../../protocol/json.ts';
import { sentence } from '../../protocol/problem.ts';
import { isOfType } from '../../schema/keywords.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { brief, shown } from './check.ts';
import { noMatcher } from './choice.ts';
import type { Comparison, MatcherRow, Mismatch } from './matcherRow.ts';
import { matches } from './pattern.ts';
import { isSame } from './sameValue.ts';
import { faultOf } from './schemaFault.ts';
import { sizeMatchers } from './sizeMatchers.ts';

export const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
const text = z.string();
const notMatcher = sentence('it is not a matcher');
/** A value or a matcher that items of a list are held against. */
const ofItems = (description: string) =>
  z
    .unknown()
    .superRefine((wanted, context) => refuseStrangers(wanted, context))
    .meta({ description });

/**
 * The matchers. Adding one is adding a row. A missing value is `undefined`.
 *
 * To add one: a row here, of numbers in `sizeMatchers.ts`, rows of `matcher.test.ts`, then `A2A_WRITE=1 npm test -- unit --grep manual`.
 * Where only some make sense, `narrowMatcher` in `choice.ts`.
 */
const rows = {
  equals: {
    schema: z.unknown().meta({ description: 'The value is exactly this.' }),
    holds: (wanted: unknown, value) => isSame(wanted, value),
    otherwise: wanted => sentence('is not {0}', wanted),
    mayTurn: 'growing',
    asText: true,
  },
  not: {
    sign: 'not',
    schema: z
      .unknown()
      .superRefine((wanted, context) => refuseStrangers(wanted, context, false))
      .meta({
        description:
          'The value is anything but this; under `text`, the text does not contain this. A matcher inside must not hold, such as `{ "not": { "contains": "error" } }`.',
      }),
    holds: (wanted: unknown, value, present, bare) =>
      isObject(wanted) ? mismatches(wanted, value, present, bare).length > 0 : !bare(wanted, value),
    otherwise: wanted => sentence('must not match: {0}', wanted),
    mayTurn: 'always',
    asText: true,
  },
  in: {
    schema: z.array(z.unknown()).meta({ description: 'The value is one of these.' }),
    holds: (wanted: readonly unknown[], value) => wanted.some(item => isSame(item, value)),
    otherwise: wanted => sentence('is none of {0}', wanted),
    mayTurn: 'growing',
    asText: true,
  },
  contains: {
    schema: z.unknown().meta({ description: 'The text contains this, or the array has this item.' }),
    holds: (wanted: unknown, value) =>
      Array.isArray(value) ? value.some(item => isSame(wanted, item)) : typeof value === 'string' && value.includes(String(wanted)),
    otherwise: wanted => sentence('does not contain {0}', wanted),
    mayTurn: 'never',
    asText: true,
  },
  notContains: {
    sign: 'without',
    schema: z.unknown().meta({ description: 'The text does not contain this, or the array has no such item; any other type fails.' }),
    holds: (wanted: unknown, value) =>
      Array.isArray(value) ? !value.some(item => isSame(wanted, item)) : typeof value === 'string' && !value.includes(String(wanted)),
    otherwise: wanted => sentence('must be a text or list without {0}', wanted),
    mayTurn: 'always',
    asText: true,
  },
  matches: {
    schema: text.min(1).meta({ description: 'The text matches this JavaScript regular expression (flag `u`).' }),
    holds: (wanted: string, value) => typeof value === 'string' && matches(wanted, value),
    otherwise: wanted => sentence('does not match {0}', wanted),
    mayTurn: 'growing',
    asText: true,
  },
  exists: {
    schema: z.boolean().meta({ description: '`true`: the value exists. `false`: it does not.' }),
    holds: (wanted: boolean, _value, present) => present === wanted,
    otherwise: wanted => (wanted === 'true' ? sentence('does not exist') : sentence('exists')),
    mayTurn: (wanted: boolean) => !wanted,
    asText: false,
  },
  type: {
    schema: z.enum(jsonTypes).meta({ description: 'The value is of this JSON type.' }),
    holds: (wanted: (typeof jsonTypes)[number], value) => isOfType[wanted]!(value),
    otherwise: wanted => sentence('is not of type {0}', wanted),
    mayTurn: 'never',
    asText: false,
  },
  ...sizeMatchers,
  some: {
    schema: ofItems('At least one item of the array matches this value or matcher.'),
    holds: (wanted: unknown, value) => Array.isArray(value) && value.some(item => fits(wanted, item)),
    otherwise: wanted => sentence('has no item matching {0}', wanted),
    mayTurn: (wanted: unknown) => !isMatcher(wanted) || mayTurn(wanted, true),
    asText: false,
  },
  every: {
    schema: ofItems('Every item of the array matches this value or matcher. An empty array fails.'),
    holds: (wanted: unknown, value) => Array.isArray(value) && value.length > 0 && value.every(item => fits(wanted, item)),
    otherwise: wanted => sentence('is not a list whose items all match {0}', wanted),
    why: (wanted: unknown, value) => {
      if (!Array.isArray(value)) return undefined;
      const at = value.findIndex(item => !fits(wanted, item));
      if (at === -1) return { what: sentence('has no items'), expected: shown(wanted), actual: shown(value) };
      const matcher = isMatcher(wanted) ? wanted : { equals: wanted };
      const [first] = mismatches(matcher, value[at]);
      return first && { what: sentence('has an item [{0}] that {1}', at, first.what), expected: first.expected, actual: first.actual };
    },
    mayTurn: 'always',
    asText: false,
  },
  schema: {
    schema: z.record(z.string(), z.unknown()).meta({ description: 'The value fits this JSON schema (2020-12 or draft-07).' }),
    holds: (wanted: Readonly<Record<string, unknown>>, value, present) => present && faultOf(value, wanted) === undefined,
    otherwise: wanted => sentence('does not match {0}', wanted),
    why: (wanted: Readonly<Record<string, unknown>>, value) => {
      const fault = value === undefined ? undefined : faultOf(value, wanted);
      return (
        fault && {
          what: sentence('does not match the schema: {0} {1}', fault.place, fault.what),
          expected: shown(fault.wanted),
          actual: shown(fault.found),
        }
      );
    },
    mayTurn: 'always',
    asText: false,
  },
} as const satisfies Readonly<Record<string, MatcherRow>>;

/** Members all of which must hold. */
export const Matcher = z
  .strictObject(Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema.optional()])))
  .refine(matcher => Object.keys(matcher).length > 0, { error: noMatcher.template })
  .meta({ description: 'What the value must be like; everything named must hold.', minProperties: 1 });

export const matcherNames: readonly string[] = Object.keys(rows);

/** True for an object that is written as a matcher and not as the value itself. */
export const isMatcher = (value: unknown): value is Readonly<Record<string, unknown>> => Matcher.safeParse(value).success;

/** Shorter names are like too many others. */
const shortest = 4;

/** Words of the language are too much like these. */
const oftenMisspelt = matcherNames.filter(name => name !== 'some' && name !== 'every');

const isName = (name: string): boolean => Object.hasOwn(rows, name);

/** True where an object with these members is meant as a matcher. @param literal it may also be a plain value */
export const meantMatcher = (names: readonly string[], literal: boolean): boolean =>
  names.length > 0 &&
  (!literal || names.some(name => isName(name) || (name.length >= shortest && closestMatch(name, oftenMisspelt) !== undefined)));

/** True for a matcher. Any other object is the value itself. */
export const meantAsMatcher = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && meantMatcher(Object.keys(value), true) && isMatcher(value);

/** Members of an object meant as a matcher that are no matchers: misspelt ones, and others beside matchers. */
export const strangersIn = (names: readonly string[], literal: boolean): readonly string[] =>
  meantMatcher(names, literal) ? names.filter(name => !isName(name)) : [];

/** A check of zod: an object that is meant as a matcher has no other members. */
export function refuseStrangers(wanted: unknown, context: z.RefinementCtx, literal = true): void {
  // An empty one could never hold, and its opposite always would.
  if (!literal && isObject(wanted) && Object.keys(wanted).length === 0) context.addIssue({ code: 'custom', message: noMatcher.template });
  for (const name of isObject(wanted) ? strangersIn(Object.keys(wanted), literal) : []) {
    context.addIssue({ code: 'custom', path: [name], message: notMatcher.template });
  }
}

/**
 * All mismatches of a value.
 * @param present false for a missing value
 * @param bare see `MatcherRow`
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
      const row = (rows as Readonly<Record<string, MatcherRow>>)[name]!;
      const wanted = matcher[name];
      if (row.holds(wanted as never, value, present, bare)) return [];
      const told = row.why?.(wanted as never, value);
      if (told !== undefined) return [{ name, ...told }];
      return [
        {
          name,
          what: row.otherwise(brief(wanted)),
          expected: row.sign === undefined ? shown(wanted) : `${row.sign} ${shown(wanted)}`,
          actual: value === undefined ? '–' : shown(value),
        },
      ];
    });
}

/** True where a value equals another one, or fits a matcher. */
const fits = (wanted: unknown, value: unknown): boolean =>
  isMatcher(wanted) ? mismatches(wanted, value).length === 0 : isSame(wanted, value);

/** True for a matcher that checks whether there is a value at all. */
export const asksExistence = (matcher: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(matcher, 'exists') || (isObject(matcher['not']) && asksExistence(matcher['not']));

/** True if a value that fits the matcher may no longer fit at the end of the task. @param growing the value is one that grows */
export const mayTurn = (matcher: Readonly<Record<string, unknown>>, growing = false): boolean =>
  Object.entries(rows as Readonly<Record<string, MatcherRow>>).some(([name, row]) => {
    if (!Object.hasOwn(matcher, name)) return false;
    if (typeof row.mayTurn === 'function') return row.mayTurn(matcher[name] as never);
    return row.mayTurn === 'always' || (growing && row.mayTurn === 'growing');
  });

/** True for a matcher whose value is text where it is compared with a text. */
export const comparesAsText = (name: string): boolean => isName(name) && rows[name as keyof typeof rows].asText;
