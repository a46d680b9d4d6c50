import { A2AError, type ErrorNames } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { shallow } from '../../protocol/json/nesting.ts';
import type { Problem } from '../../protocol/problem.ts';
import { codeOfReason, errorIn } from '../transport/agentError.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a status means where a body says no more than words: 0.3 does not say what errors look like in HTTP+JSON, and some servers give
 * nothing else. 400 and 5xx have too many meanings.
 */
const codeByStatus: Readonly<Record<number, number>> = { 404: -32001, 409: -32002, 415: -32005, 422: -32602, 501: -32004 };

/** What servers answer for a path that they do not have: this is not an agent's answer. */
const noSuchPath = /^\W*(?:404|not found|resource not found|no (?:such )?route|route not found|cannot (?:get|post)\b.*)\W*$/i;

/**
 * The error in a body of HTTP+JSON: the shapes of JSON-RPC's errors and `google.rpc.Status`, problem details whose `type` names an error (A2A
 * 1.0 §6.4), or only words with a meaningful status (0.3). Undefined if the body is not an error.
 * @param names what the numbers mean in the protocol version in use.
 */
export function httpJsonErrorIn(body: unknown, status: number, names: ErrorNames): Problem | undefined {
  if (!isObject(body)) return undefined;
  const { error } = body;
  const typed = status >= 400 ? codeOfType(body['type']) : undefined;
  if (typed !== undefined)
    return new A2AError(typed, wordsOf(shallow(body) as Fields) ?? String(body['type']), shallow(body), names, `HTTP ${status}`);
  // Inside a stream the status is that of the stream.
  const own = isObject(error) && isHttpError(error['code']) ? error['code'] : status;
  const found = errorIn(body, own, names);
  if (found instanceof A2AError || own < 400) return found;
  const code = codeByStatus[own];
  const told = shallow(body) as Fields;
  const words = typeof error === 'string' ? undefined : wordsOf(isObject(told['error']) ? told['error'] : told);
  return code === undefined || words === undefined || (own === 404 && noSuchPath.test(words))
    ? found
    : new A2AError(code, words, told, names, `HTTP ${own}`);
}

const isHttpError = (code: unknown): code is number => typeof code === 'number' && code >= 400 && code <= 599;

/** The last words of a problem's `type`, such as `https://…/errors/task-not-found`, are its reason. */
function codeOfType(type: unknown): number | undefined {
  const name = typeof type === 'string' ? /([\w-]+)\/?$/.exec(type)?.[1] : undefined;
  return name === undefined ? undefined : codeOfReason(name.replaceAll('-', '_').toUpperCase());
}

/** Validation errors of web frameworks say what is wrong in `detail`. */
function wordsOf({ message, detail, title }: Fields): string | undefined {
  if (typeof message === 'string' && message !== '') return message;
  if (Array.isArray(detail)) return JSON.stringify(detail);
  return typeof detail === 'string' && typeof title === 'string' ? `${title}: ${detail}` : undefined;
}
