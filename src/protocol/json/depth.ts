import { ExactNumber } from '../exactNumber.ts';

/** Deepest nesting that is read. Values are later stored, compared and printed recursively, and the stack is limited. */
export const maxNesting = 256;

/** False for a value that is nested deeper than `levels`; does not look deeper itself. */
export function isShallow(value: unknown, levels = maxNesting): boolean {
  return !isObjectOrArray(value) || endsWithin(value, levels);
}

export const isObjectOrArray = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

function endsWithin(nest: object, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(nest)) return nest.every(inner => !isObjectOrArray(inner) || endsWithin(inner, levels - 1));
  for (const name in nest) {
    const inner = (nest as Readonly<Record<string, unknown>>)[name];
    if (isObjectOrArray(inner) && !endsWithin(inner, levels - 1)) return false;
  }
  return true;
}

/** Cost of a value besides its characters: a member costs more to copy and to draw than a letter. */
const perValue = 16;

/**
 * Rest of `room` after a JSON value that is no deeper than `maxNesting`: its characters and 16 for each value in it. Negative where it does
 * not fit; the rest of it is not looked at then.
 */
export function roomAfter(value: unknown, room: number): number {
  let left = room - perValue;
  if (typeof value === 'string') return left - value.length;
  if (!isObjectOrArray(value)) return left;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = roomAfter(value[index], left);
    return left;
  }
  for (const name in value) {
    if (left < 0) break;
    left = roomAfter((value as Readonly<Record<string, unknown>>)[name], left - name.length);
  }
  return left;
}
