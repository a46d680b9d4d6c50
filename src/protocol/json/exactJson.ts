import { hasExactNumbers, toExactNumber } from '../exactNumber.ts';
import { isShallow, maxNesting } from './depth.ts';

/**
 * What a number inside a text looks like that a double may not hold: sixteen digits, or an exponent of three. Only where a value begins, so
 * that ids and base64 are seldom taken for one. An alternative more would cost several times the time: it is searched in every text.
 */
const mayBeInexact = /[,:[]\s*-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

/** Deepest nesting in which digits are kept. What is deeper is refused by whoever reads it. */
const deepest = 1000;

/** What engines hand to a reviver since Node.js 21; absent before. */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? toExactNumber(context.source) : value;

/**
 * Like `JSON.parse`, with an `ExactNumber` where a double would change the value. Which texts may hold such a number is a look at their
 * characters; only those are read in the slower way.
 * @throws SyntaxError for invalid JSON
 */
export function exactJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (typeof value === 'number') return toExactNumber(text.trim());
  return mayBeInexact.test(text) && isShallow(value, deepest) ? JSON.parse(text, keepDigits) : value;
}

/**
 * The same for a value that has to be no deeper than `maxNesting`.
 * @throws SyntaxError for invalid JSON, and for JSON nested deeper than that
 */
export function parseExactly(text: string): unknown {
  const value = exactJson(text);
  if (!isShallow(value)) throw new SyntaxError(`It is nested more than ${maxNesting} levels deep, the most that is read.`);
  return value;
}

/** Writes JSON with every digit. `indent` is the number of spaces per level. */
export const writeExactly = (value: unknown, indent = 2): string => JSON.stringify(value, null, indent) ?? 'null';

/**
 * A message for a page of VS Code, which posts doubles alone: one with other numbers is posted as JSON text, which `received` reads.
 */
export const posted = (message: object): unknown => (hasExactNumbers(message) ? JSON.stringify(message) : message);

/** What a page received of `posted`. */
export const received = (data: unknown): unknown => (typeof data === 'string' ? exactJson(data) : data);
