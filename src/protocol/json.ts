import { ExactNumber } from './exactNumber.ts';

/** Any JSON value (RFC 8259). */
type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** True for a JSON object: not null, not an array, not a number of many digits. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
