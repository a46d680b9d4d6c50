import { isObject } from '../../json.ts';
import type { DataPart } from '../../message/part.ts';
import { withoutUndefined } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Data parts before 1.0 hold objects only; for other values the SDKs use this wrapper and flag. */
export function writeData(
  { data, metadata }: DataPart,
  holds: (data: unknown) => boolean = isObject,
): { readonly data: unknown; readonly metadata?: Fields } {
  return holds(data) ? withoutUndefined({ data, metadata }) : { data: { value: data }, metadata: { ...metadata, data_part_compat: true } };
}
