import { compareNumbers, type ExactNumber, isMultipleOf, isNumber } from '../protocol/exactNumber.ts';
import { isObject } from '../protocol/json.ts';
import type { Keyword, SchemaCheck } from './schemaCheck.ts';

type SizeOf = (value: unknown, check: SchemaCheck) => number | ExactNumber | undefined;

const numberOf: SizeOf = value => (isNumber(value) ? value : undefined);
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

type Holds = (size: number | ExactNumber, limit: number | ExactNumber) => boolean;

const atLeast: Holds = (size, limit) => compareNumbers(size, limit) >= 0;
const atMost: Holds = (size, limit) => compareNumbers(size, limit) <= 0;

const limit = (keyword: string, sizeOf: SizeOf, holds: Holds): readonly [string, Keyword] => [
  keyword,
  {
    takes: isNumber,
    check: (check, wanted: number | ExactNumber, value, at) => {
      const size = sizeOf(value, check);
      if (size !== undefined && !holds(size, wanted)) check.departs(at, keyword, wanted, value);
    },
  },
];

/** Keywords that limit a size. */
export const sizeKeywords: readonly (readonly [string, Keyword])[] = [
  limit('minimum', numberOf, atLeast),
  limit('maximum', numberOf, atMost),
  limit('exclusiveMinimum', numberOf, (size, than) => compareNumbers(size, than) > 0),
  limit('exclusiveMaximum', numberOf, (size, than) => compareNumbers(size, than) < 0),
  limit('multipleOf', numberOf, isMultipleOf),
  limit('minLength', lengthOf, atLeast),
  limit('maxLength', lengthOf, atMost),
  limit('minItems', itemsOf, atLeast),
  limit('maxItems', itemsOf, atMost),
  limit('minProperties', membersOf, atLeast),
  limit('maxProperties', membersOf, atMost),
];
