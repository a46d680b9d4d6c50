import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../protocol/json.ts';
import { ExactNumber } from '../../protocol/json/exactNumber.ts';
import { Problem, sentence } from '../../protocol/problem.ts';

/**
 * True for equal JSON values.
 * @throws Problem `number-not-exact` where a number is expected that other numbers of an answer are rounded to
 */
export function isSame(wanted: unknown, value: unknown): boolean {
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

/** An object of JSON. A number of many digits is an object of this program alone. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !(value instanceof ExactNumber);
