import { compareNumbers, decimalOf, ExactNumber, isNumber } from '../protocol/exactNumber.ts';
import { isObjectOrArray } from '../protocol/json/depth.ts';

/** Called for so many units of work; throws where there were too many. */
export type Step = (units?: number) => void;

/** True if two values are equal as JSON, whatever the order of members. Looks no deeper than both of them are. */
export function sameJson(a: unknown, b: unknown, step: Step): boolean {
  step();
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false;
    step(a.length >> 8);
  }
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (!isObjectOrArray(a) || !isObjectOrArray(b)) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameJson(item, b[index], step));
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      name =>
        Object.hasOwn(b, name) &&
        sameJson((a as Readonly<Record<string, unknown>>)[name], (b as Readonly<Record<string, unknown>>)[name], step),
    )
  );
}

/** The same text for values that are equal as JSON. */
export function jsonKey(value: unknown, step: Step): string {
  step();
  if (value instanceof ExactNumber) return decimalOf(value.digits);
  if (typeof value === 'string') step(value.length >> 8);
  if (!isObjectOrArray(value)) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(item => jsonKey(item, step)).join()}]`;
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${jsonKey(inner, step)}`);
  return `{${members.sort().join()}}`;
}

/** How many values there are in a value, itself included, counted up to `most`. */
export function valuesIn(value: unknown, most: number): number {
  let count = 0;
  for (const open = [value]; open.length > 0 && count < most; count++) {
    const next = open.pop();
    if (!isObjectOrArray(next)) continue;
    for (const inner of Object.values(next)) {
      if (count + open.length >= most) break;
      open.push(inner);
    }
  }
  return count;
}
