import { A2AError, type ErrorNames, codeOfReason } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { Envelope } from '../transport/envelope.ts';
import { limitedDepth } from '../../protocol/json/nesting.ts';
import { type Problem, sentence } from '../../protocol/problem.ts';
import { isResult } from '../../protocol/versions/shared/readWrapped.ts';
import { errorIn } from '../transport/agentError.ts';

/**
 * HTTP+JSON has no envelope: answers and events are the results themselves (A2A 1.0 §11.2, §11.7). A JSON-RPC response in their place is
 * accepted with a finding.
 * @param errorNames meaning of error codes in the protocol version in use
 */
export const httpJsonEnvelope = (errorNames: ErrorNames): Envelope => ({
  rules: { mediaType: 'HTTP-02', form: 'HTTP-06' },
  open(answer, status, note) {
    if (isResult(answer)) return answer;
    const error = httpJsonErrorIn(answer, status, errorNames);
    if (error !== undefined) throw error;
    if (!isObject(answer) || !('jsonrpc' in answer) || !('result' in answer)) return answer;
    note('HTTP-06', '', sentence('The answer should be bare, not inside a JSON-RPC response.'));
    return answer['result'];
  },
  holdsResult: isResult,
});

type Fields = Readonly<Record<string, unknown>>;

/**
 * Error codes for an HTTP status whose body has only text: 0.3 does not define errors of HTTP+JSON, and some servers send nothing else. 400
 * and 5xx have too many meanings.
 */
const codeByStatus: Readonly<Record<number, number>> = { 404: -32001, 409: -32002, 415: -32005, 422: -32602, 501: -32004 };

/** Texts of servers for an unknown path; these are not an agent's answer. */
const noSuchPath = /^\W*(?:404|not found|resource not found|no (?:such )?route|route not found|cannot (?:get|post)\b.*)\W*$/i;

/**
 * The error in a body of HTTP+JSON: in the shape of JSON-RPC or `google.rpc.Status`, problem details whose `type` names an error (A2A 1.0
 * §6.4), or only text with a meaningful status (0.3). Undefined if the body is not an error.
 * @param names meaning of error codes in the protocol version in use
 */
function httpJsonErrorIn(body: unknown, status: number, names: ErrorNames): Problem | undefined {
  if (!isObject(body)) return undefined;
  const { error } = body;
  const typed = status >= 400 ? codeOfType(body['type']) : undefined;
  if (typed !== undefined)
    return new A2AError(typed, wordsOf(limitedDepth(body) as Fields) ?? String(body['type']), limitedDepth(body), names, `HTTP ${status}`);
  // Inside a stream, `status` is that of the stream, not of the error.
  const own = isObject(error) && isHttpError(error['code']) ? error['code'] : status;
  const sent = own === status ? status : sentence('{0}, code {1} in the body', status, own);
  const found = errorIn(body, own, names, sent);
  if (found instanceof A2AError || own < 400) return found;
  const code = codeByStatus[own];
  const shown = limitedDepth(body) as Fields;
  const words = typeof error === 'string' ? undefined : wordsOf(isObject(shown['error']) ? shown['error'] : shown);
  return code === undefined || words === undefined || (own === 404 && noSuchPath.test(words))
    ? found
    : new A2AError(code, words, shown, names, sentence('HTTP {0}', sent));
}

const isHttpError = (code: unknown): code is number => typeof code === 'number' && code >= 400 && code <= 599;

/** The last segment of a problem's `type`, such as `https://…/errors/task-not-found`, is its reason. */
function codeOfType(type: unknown): number | undefined {
  const name = typeof type === 'string' ? /([\w-]+)\/?$/.exec(type)?.[1] : undefined;
  return name === undefined ? undefined : codeOfReason(name.replaceAll('-', '_').toUpperCase());
}

/** Web frameworks describe validation errors in `detail`. */
function wordsOf({ message, detail, title }: Fields): string | undefined {
  if (typeof message === 'string' && message !== '') return message;
  if (Array.isArray(detail)) return JSON.stringify(detail);
  return typeof detail === 'string' && typeof title === 'string' ? `${title}: ${detail}` : undefined;
}
