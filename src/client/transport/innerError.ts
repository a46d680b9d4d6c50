import { isObject } from '../../protocol/json.ts';
import { parseJson } from '../http/parseJson.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON-RPC error inside another object. */
interface InnerError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Members in which servers put an error that they received or raised. */
const holders = ['error', 'detail', 'details', 'data', 'root', 'message', 'cause'];
const maxDepth = 6;
/** Longest text that is searched, in characters: longer ones are not error messages. */
const maxText = 16 * 1024;
/** Generic codes: an error inside is more specific. */
const genericCodes = new Set([-32603, -32000]);
/** The code in the text of an error from other languages, such as `JSONRPCError(code=-32601, …)`. */
const codeInWords = /\bcode["']?\s*[:=]\s*(-32\d{3})\b/;

/**
 * The JSON-RPC error inside a body that is another error: that of a proxy or a framework, or one with a generic code. Undefined where the
 * body itself is specific, or contains no other error.
 */
export function innerError(body: Fields): InnerError | undefined {
  const { error } = body;
  const outer = isObject(error) ? error : body;
  const code = outer['code'];
  if (isRpcCode(code) && !genericCodes.has(code)) return undefined;
  const inner = holders.map(name => findError(outer[name], maxDepth)).find(found => found !== undefined);
  if (inner !== undefined) return inner;
  const { message } = outer;
  const writtenCode = typeof message === 'string' && message.length <= maxText ? codeInWords.exec(message)?.[1] : undefined;
  return writtenCode === undefined || genericCodes.has(Number(writtenCode))
    ? undefined
    : { code: Number(writtenCode), message: message as string };
}

const isRpcCode = (code: unknown): code is number => typeof code === 'number' && code >= -32768 && code <= -32000;

/** The outermost error in a value that is specific. */
function findError(value: unknown, depth: number): InnerError | undefined {
  if (depth === 0) return undefined;
  if (typeof value === 'string')
    return value.length <= maxText && value.trimStart().startsWith('{') ? findError(parseJson(value), depth - 1) : undefined;
  if (!isObject(value)) return undefined;
  const { code, message, data } = value;
  if (isRpcCode(code) && typeof message === 'string' && !genericCodes.has(code))
    return { code, message, ...(data !== undefined && { data }) };
  return holders.map(name => findError(value[name], depth - 1)).find(found => found !== undefined);
}
