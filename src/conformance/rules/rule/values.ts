import { isObject } from '../../../protocol/json.ts';
import type { Fields } from './passiveCheck.ts';

/** Most items of one list that a check looks at. */
export const maxItems = 500;

/** The items of a list that are objects, with their indices; none for anything else. */
export function objects(value: unknown): readonly (readonly [index: number, item: Fields])[] {
  if (!Array.isArray(value)) return [];
  const found: (readonly [number, Fields])[] = [];
  for (let index = 0; index < value.length && index < maxItems; index++) {
    const item: unknown = value[index];
    if (isObject(item)) found.push([index, item]);
  }
  return found;
}

/** A step of an RFC 6901 pointer. */
export const step = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const isSet = (value: unknown): boolean => value !== undefined && value !== null;
