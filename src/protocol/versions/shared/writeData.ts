import { isObject } from '../../json.ts';
import type { DataPart } from '../../message/part.ts';
import { present } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Data parts before 1.0 hold objects only; the SDKs agreed on this wrapper and flag for other values. */
export function writeData(
  { data, metadata }: DataPart,
  holds: (data: unknown) => boolean = isObject,
): { readonly data: unknown; readonly metadata?: Fields } {
  return holds(data) ? present({ data, metadata }) : { data: { value: data }, metadata: { ...metadata, data_part_compat: true } };
}
