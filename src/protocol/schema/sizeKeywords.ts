import { isObject } from '../json.ts';
import type { Keyword, SchemaCheck } from './schemaCheck.ts';

type SizeOf = (value: unknown, check: SchemaCheck) => number | undefined;

const numberOf: SizeOf = value => (typeof value === 'number' ? value : undefined);
const itemsOf: SizeOf = value => (Array.isArray(value) ? value.length : undefined);

/** In characters, not UTF-16 units. */
const lengthOf: SizeOf = (value, check) => {
  if (typeof value !== 'string') return undefined;
  check.shared.step(value.length >> 6);
  return [...value].length;
};

const membersOf: SizeOf = (value, check) => {
  if (!isObject(value)) return undefined;
  const { length } = Object.keys(value);
  check.shared.step(length >> 4);
  return length;
};

const atLeast = (size: number, limit: number): boolean => size >= limit;
const atMost = (size: number, limit: number): boolean => size <= limit;

/** 19.99 is a multiple of 0.01, although no quotient of doubles says so. */
const isMultiple = (value: number, of: number): boolean => of <= 0 || Number.isInteger(Number((value / of).toPrecision(15)));

const limit = (keyword: string, sizeOf: SizeOf, holds: (size: number, limit: number) => boolean): readonly [string, Keyword] => [
  keyword,
  {
    takes: wanted => typeof wanted === 'number',
    check: (check, wanted: number, value, at) => {
      const size = sizeOf(value, check);
      if (size !== undefined && !holds(size, wanted)) check.departs(at, keyword, wanted, value);
    },
  },
];

/** Keywords that limit a size. */
export const sizeKeywords: readonly (readonly [string, Keyword])[] = [
  limit('minimum', numberOf, atLeast),
  limit('maximum', numberOf, atMost),
  limit('exclusiveMinimum', numberOf, (size, than) => size > than),
  limit('exclusiveMaximum', numberOf, (size, than) => size < than),
  limit('multipleOf', numberOf, isMultiple),
  limit('minLength', lengthOf, atLeast),
  limit('maxLength', lengthOf, atMost),
  limit('minItems', itemsOf, atLeast),
  limit('maxItems', itemsOf, atMost),
  limit('minProperties', membersOf, atLeast),
  limit('maxProperties', membersOf, atMost),
];
