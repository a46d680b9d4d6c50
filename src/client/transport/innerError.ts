import { isObject } from '../../protocol/json.ts';
import { parseJson } from '../http/parseJson.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An error of JSON-RPC that something else is wrapped around. */
export interface InnerError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Members in which servers put an error that they got or raised themselves. */
const holders = ['error', 'detail', 'details', 'data', 'root', 'message', 'cause'];
const maxDepth = 6;
/** Text that is longer is not looked at: it is no error somebody wrote. */
const maxText = 16 * 1024;
/** Codes that say no more than that something went wrong: an error inside says what. */
const sayLittle = new Set([-32603, -32000]);
/** The code in the words that other languages have for an error, such as `JSONRPCError(code=-32601, …)`. */
const codeInWords = /\bcode["']?\s*[:=]\s*(-32\d{3})\b/;

/**
 * The error of JSON-RPC inside a body that is another error: a proxy's, a framework's, or one of JSON-RPC that says little. Undefined where
 * the body itself says what it is, or holds none.
 */
export function innerError(body: Fields): InnerError | undefined {
  const { error } = body;
  const outer = isObject(error) ? error : body;
  const code = outer['code'];
  if (isRpcCode(code) && !sayLittle.has(code)) return undefined;
  const inner = holders.map(name => findError(outer[name], maxDepth)).find(found => found !== undefined);
  if (inner !== undefined) return inner;
  const { message } = outer;
  const said = typeof message === 'string' && message.length <= maxText ? codeInWords.exec(message)?.[1] : undefined;
  return said === undefined || sayLittle.has(Number(said)) ? undefined : { code: Number(said), message: message as string };
}

const isRpcCode = (code: unknown): code is number => typeof code === 'number' && code >= -32768 && code <= -32000;

/** The outermost error in a value that says something. */
function findError(value: unknown, depth: number): InnerError | undefined {
  if (depth === 0) return undefined;
  if (typeof value === 'string')
    return value.length <= maxText && value.trimStart().startsWith('{') ? findError(parseJson(value), depth - 1) : undefined;
  if (!isObject(value)) return undefined;
  const { code, message, data } = value;
  if (isRpcCode(code) && typeof message === 'string' && !sayLittle.has(code)) return { code, message, ...(data !== undefined && { data }) };
  return holders.map(name => findError(value[name], depth - 1)).find(found => found !== undefined);
}
