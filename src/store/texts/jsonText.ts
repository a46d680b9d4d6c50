import { parseExactly } from '../../protocol/json/exactNumber.ts';

/** Stored values were bounded when they were read, and we wrap them in only a few levels. */
const deepest = 1000;

/**
 * Text and objects as JSON. Agent text gets into a column only in this way: `node:sqlite` cuts TEXT at NUL when it reads and replaces lone
 * surrogates when it writes; JSON escapes both. The same value always gives the same text, so encoded ids can be compared.
 */
export const encode = (value: unknown): string => JSON.stringify(value);

/** `encode`, with undefined for NULL. */
export const encodeOptional = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export const decode = <T>(text: string): T => JSON.parse(text) as T;

export const decodeOptional = <T>(text: string | null): T | undefined => (text === null ? undefined : (JSON.parse(text) as T));

/** `decode` for values that a person wrote, whose numbers may have more digits than a double. */
export const decodeExactly = <T>(text: string): T => (/\d{16}/.test(text) ? parseExactly(text, deepest) : JSON.parse(text)) as T;
