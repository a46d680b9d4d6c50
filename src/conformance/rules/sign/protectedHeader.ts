import { isObject } from '../../../protocol/json.ts';
import type { Fields } from '../rule/passiveCheck.ts';

/** Longest protected header that is decoded, in characters of base64url. */
const maxHeader = 20_000;

/** The protected header of a JWS (RFC 7515 §3); undefined where it is not an object in base64url. */
export function protectedHeader(value: unknown): Fields | undefined {
  if (typeof value !== 'string' || value.length > maxHeader || !/^[\w-]+$/.test(value)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}
