import { hasExactNumbers, toExactNumber } from '../exactNumber.ts';
import { isShallow, maxNesting } from './depth.ts';
import { endOfString } from './valueCount.ts';

/** Numbers that a double may not represent exactly: sixteen digits, or an exponent of three. */
const inexact = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;
/** Fewest characters of one: 1e400. */
const shortest = 5;

/** True if a text may have such a number outside of its strings. */
function mayBeInexact(text: string): boolean {
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from);
    const to = quote === -1 ? text.length : quote;
    if (to - from >= shortest && inexact.test(text.slice(from, to))) return true;
    if (quote === -1) return false;
    from = endOfString(text, quote) + 1;
  }
  return false;
}

/** True if there is a number in a value. Most messages have none, which is seen faster in the value than in a long text. */
function hasNumbers(value: unknown, levels = deepest): boolean {
  if (typeof value === 'number') return true;
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  if (Array.isArray(value)) return value.some(inner => hasNumbers(inner, levels - 1));
  for (const name in value) if (hasNumbers((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return true;
  return false;
}

/** Deepest nesting in which digits are kept. Readers refuse deeper values. */
const deepest = 1000;

/** Third argument of a reviver since Node.js 21; absent before. */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? toExactNumber(context.source) : value;

/**
 * Like `JSON.parse`, with an `ExactNumber` where a double would change the value. Only a text that
 * may hold such a number is read in the slower way.
 * @throws SyntaxError for invalid JSON
 */
export function exactJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  return hasNumbers(value) && mayBeInexact(text) && isShallow(value, deepest) ? JSON.parse(text, keepDigits) : value;
}

/**
 * The same for a value that has to be no deeper than `maxNesting`.
 * @throws SyntaxError for invalid JSON, and for JSON nested deeper than that
 */
export function parseExactly(text: string): unknown {
  const value = exactJson(text);
  if (!isShallow(value)) throw new SyntaxError(`It exceeds the limit of ${maxNesting} nesting levels.`);
  return value;
}

/** Writes JSON with every digit. `indent` is the number of spaces per level. */
export const writeExactly = (value: unknown, indent = 2): string => JSON.stringify(value, null, indent) ?? 'null';

/**
 * A message for a page of VS Code, which posts doubles alone: one with other numbers is posted as JSON text, which `received` reads.
 */
export const posted = (message: object): unknown => (hasExactNumbers(message) ? JSON.stringify(message) : message);

/** The value that a page received from `posted`. */
export const received = (data: unknown): unknown => (typeof data === 'string' ? (JSON.parse(data, keepDigits) as unknown) : data);
