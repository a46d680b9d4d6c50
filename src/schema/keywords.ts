import { isInteger, isNumber } from '../protocol/exactNumber.ts';
import { isObject } from '../protocol/json.ts';
import { arrayKeywords } from './arrayKeywords.ts';
import { combiningKeywords } from './combiningKeywords.ts';
import { objectKeywords } from './objectKeywords.ts';
import type { Keyword } from './schemaCheck.ts';
import { sizeKeywords } from './sizeKeywords.ts';
import { unevaluatedKeywords } from './unevaluatedKeywords.ts';

export const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  number: isNumber,
  integer: isInteger,
  boolean: value => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  null: value => value === null,
};

/** No type is to be listed twice, and a long list would take long for each value. */
const typeCount = Object.keys(isOfType).length;
const isType = (type: unknown): boolean => typeof type === 'string' && Object.hasOwn(isOfType, type);
const always = (): boolean => true;

/**
 * All keywords that are checked, in the order in which they are reported.
 *
 * To add one: a row here; its words for forms in `forms/schemaFaults.ts` (formats in `schemaLimits.ts`) and for expectations in
 * `request/expect/schemaFault.ts`; cases for both drafts in `test/support/schemaCases.ts`.
 */
export const schemaKeywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  [
    'type',
    {
      takes: wanted => (Array.isArray(wanted) ? wanted.length <= typeCount && wanted.every(isType) : isType(wanted)),
      check: (check, wanted: string | readonly string[], value, at) => {
        if (![wanted].flat().some(type => isOfType[type]!(value))) check.departs(at, 'type', wanted, value, { tellsKind: true });
      },
    },
  ],
  [
    'const',
    {
      takes: always,
      check: (check, wanted, value, at) => {
        if (!check.same(wanted, value)) check.departs(at, 'const', wanted, value, { tellsKind: true });
      },
    },
  ],
  [
    'enum',
    {
      takes: Array.isArray,
      check: (check, wanted: readonly unknown[], value, at) => {
        if (!wanted.some(one => check.same(one, value))) check.departs(at, 'enum', wanted, value, { tellsKind: true });
      },
    },
  ],
  ...sizeKeywords,
  [
    'format',
    {
      takes: always,
      check: (check, wanted: unknown, value, at) => {
        const { isOfFormat } = check.shared.rules;
        if (isOfFormat === undefined || typeof wanted !== 'string' || typeof value !== 'string') return;
        check.shared.step(value.length >> 6);
        if (!isOfFormat(wanted, value)) check.departs(at, 'format', wanted, value);
      },
    },
  ],
  [
    'pattern',
    {
      takes: wanted => typeof wanted === 'string',
      check: (check, wanted: string, value, at) => {
        if (typeof value === 'string' && check.matches(wanted, value) === false) check.departs(at, 'pattern', wanted, value);
      },
    },
  ],
  ...objectKeywords,
  ...arrayKeywords,
  ...combiningKeywords,
  ...unevaluatedKeywords,
]);
