import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { sentence, type Sentence } from '../../protocol/problem.ts';
import { shown, type Failure } from './check.ts';
import { matches } from './pattern.ts';

interface MatcherRow {
  readonly schema: z.ZodType;
  holds(wanted: never, value: unknown): boolean;
  /** What is wrong, with what was wanted as its argument. */
  readonly otherwise: (wanted: string) => Sentence;
}

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
const text = z.string();

/** What a value can be held against. Adding one is adding a row. `undefined` stands for a value that is not there. */
const rows = {
  equals: {
    schema: z.unknown().meta({ description: 'The value is exactly this.' }),
    holds: (wanted: unknown, value) => isDeepStrictEqual(wanted, value),
    otherwise: wanted => sentence('is not {0}', wanted),
  },
  not: {
    schema: z.unknown().meta({ description: 'The value is anything but this.' }),
    holds: (wanted: unknown, value) => !isDeepStrictEqual(wanted, value),
    otherwise: wanted => sentence('is {0}', wanted),
  },
  in: {
    schema: z.array(z.unknown()).meta({ description: 'The value is one of these.' }),
    holds: (wanted: readonly unknown[], value) => wanted.some(item => isDeepStrictEqual(item, value)),
    otherwise: wanted => sentence('is none of {0}', wanted),
  },
  contains: {
    schema: z.unknown().meta({ description: 'The text has this in it, or the array has this item.' }),
    holds: (wanted: unknown, value) => (Array.isArray(value) ? value.some(item => isDeepStrictEqual(item, wanted))
      : typeof value === 'string' && value.includes(String(wanted))),
    otherwise: wanted => sentence('does not contain {0}', wanted),
  },
  matches: {
    schema: text.meta({ description: 'The text has a match of this regular expression, as JavaScript writes it, flag `u`.' }),
    holds: (wanted: string, value) => typeof value === 'string' && matches(wanted, value),
    otherwise: wanted => sentence('does not match {0}', wanted),
  },
  exists: {
    schema: z.boolean().meta({ description: 'True: there is such a value, whichever. False: there is none.' }),
    holds: (wanted: boolean, value) => (value !== undefined) === wanted,
    otherwise: wanted => (wanted === 'true' ? sentence('is not there') : sentence('is there')),
  },
  type: {
    schema: z.enum(jsonTypes).meta({ description: 'The value is of this JSON type.' }),
    holds: (wanted: typeof jsonTypes[number], value) => isOfType(value, wanted),
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
export const Matcher = z.strictObject(Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema.optional()])))
  .meta({ description: 'What the value must be like; everything named must hold.' });

export const matcherNames = Object.keys(rows) as readonly MatcherName[];

/** True for an object that is written as a matcher and not as the value itself. */
export const isMatcher = (value: unknown): value is Readonly<Record<string, unknown>> => Matcher.safeParse(value).success;

export interface Mismatch extends Pick<Failure, 'expected' | 'actual'> {
  readonly name: MatcherName;
  /** A verb with what follows: the value is its subject. */
  readonly what: Sentence;
}

/** Everything about a value that is not as wanted. A value that is not there is `undefined`. @throws Problem of `matches` */
export function mismatches(matcher: Readonly<Record<string, unknown>>, value: unknown): Mismatch[] {
  return matcherNames.filter(name => Object.hasOwn(matcher, name)).flatMap(name => {
    const row: MatcherRow = rows[name];
    const wanted = matcher[name];
    if (row.holds(wanted as never, value)) return [];
    return [{ name, what: row.otherwise(brief(wanted)), expected: shown(wanted), actual: value === undefined ? undefined : shown(value) }];
  });
}

export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null': return value === null;
    case 'array': return Array.isArray(value);
    case 'object': return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    default: return typeof value === type;
  }
}

/** A value inside a sentence. */
export function brief(value: unknown, longest = 80): string {
  const written = JSON.stringify(value) ?? '–';
  return written.length > longest ? `${written.slice(0, longest)}…` : written;
}
