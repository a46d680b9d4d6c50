import { exactJson } from '../../protocol/json/exactJson.ts';

/**
 * Text and objects as JSON. Agent text gets into a column only in this way: `node:sqlite` cuts TEXT at NUL when it reads and replaces lone
 * surrogates when it writes; JSON escapes both. The same value always gives the same text, so encoded ids can be compared.
 */
export const encode = (value: unknown): string => JSON.stringify(value);

/** `encode`, with undefined for NULL. */
export const encodeOptional = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export const decode = <T>(text: string): T => exactJson(text) as T;

export const decodeOptional = <T>(text: string | null): T | undefined => (text === null ? undefined : decode<T>(text));
