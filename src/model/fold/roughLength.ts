import { isObjectOrArray } from '../../protocol/json/depth.ts';
import type { Part } from '../../protocol/message/part.ts';

/** Most code units of a part's data that are counted. */
const maxData = 256 * 1024;

/** In UTF-16 code units. */
export const partsLength = (parts: readonly Part[]): number => parts.reduce((length, part) => length + partLength(part), 0);

function partLength(part: Part): number {
  if ('text' in part) return part.text.length;
  if ('raw' in part) return part.raw.length;
  if ('url' in part) return part.url.length;
  return roughLength(part.data, maxData);
}

/** About as long as the JSON of a value, the same for the same; no more than `enough` is looked at. */
export function roughLength(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isObjectOrArray(value)) return 4;
  let length = 2;
  for (const name in value) {
    if (length >= enough) break;
    length +=
      (Array.isArray(value) ? 1 : name.length + 4) + roughLength((value as Readonly<Record<string, unknown>>)[name], enough - length);
  }
  return length;
}
