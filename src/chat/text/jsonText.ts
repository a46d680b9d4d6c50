import { parseExactly } from '../../protocol/json/exactJson.ts';
import { t } from './strings.ts';

/** Parses JSON typed by a person; the error message is the browser's. */
export function parseTypedJson(typed: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: parseExactly(typed) };
  } catch (error) {
    return { fault: t('This is not JSON: {0}', error instanceof Error ? error.message : String(error)) };
  }
}
