import { A2AError, codeOfReason, errorNames, type ErrorNames } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { limitedDepth } from '../../protocol/json/nesting.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { innerError } from './innerError.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import type { CarriedCredentials } from '../http/requestAuthentication.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Longest error code that is quoted, in characters. */
const maxCode = 80;
/** Longest part of an unreadable answer that is quoted, in characters. */
const quoted = 2048;
/** Longest line that is quoted in a sentence, in characters. */
const maxLine = 300;

/** Words of a refusal, beside its HTTP status. */
interface RefusalWords {
  /** Name of the gRPC status, for bindings without HTTP status. */
  readonly grpc?: string;
  /** The agent's own message. */
  readonly words?: string;
}

/** A refusal with the credentials that the request carried. */
export interface ExplainedRefusal {
  /** `none` where it carried nothing of the person's. */
  readonly sent: CarriedCredentials | 'none';
  /** Instead of the plain ones. */
  readonly what?: LocalizedMessage | undefined;
  readonly nextStep?: LocalizedMessage | undefined;
}

/** The agent requires credentials (HTTP 401) or refuses those it got (403). */
export class UnauthorizedProblem extends Problem {
  readonly status: number;
  /** `WWW-Authenticate` as received. */
  readonly challenge: string | undefined;
  /** See `ExplainedRefusal`. */
  readonly sent: ExplainedRefusal['sent'] | undefined;
  readonly said: RefusalWords;

  constructor(status: number, challenge: string | undefined, details?: string, said: RefusalWords = {}, explained?: ExplainedRefusal) {
    super('unauthorized', explained?.what ?? refusalSentence(status, challenge, said), {
      nextStep:
        explained?.nextStep ??
        hint(
          sentence('Sign in with "A2A: Sign In…", or set the credentials that the agent card asks for in the agent\'s headers.'),
          "Sign in with: a2a auth login URL. Or give the credentials that the agent card asks for with --header 'Name: value'.",
        ),
      details,
    });
    this.name = 'UnauthorizedProblem';
    this.status = status;
    this.challenge = challenge;
    this.sent = explained?.sent;
    this.said = said;
  }
}

function refusalSentence(status: number, challenge: string | undefined, { grpc, words }: RefusalWords): LocalizedMessage {
  if (grpc !== undefined)
    return status === 401
      ? sentence('The agent requires credentials (gRPC {0}): {1}', grpc, words ?? '')
      : sentence('The agent refuses this request (gRPC {0}): {1}', grpc, words ?? '');
  if (status === 403)
    return words === undefined
      ? sentence('The agent refuses this request (HTTP 403): the credentials do not allow it.')
      : sentence('The agent refuses this request (HTTP 403): {0}.', words);
  const said = words ?? challenge;
  return said === undefined
    ? sentence('The agent requires credentials (HTTP 401). Its answer does not say which kind.')
    : sentence('The agent requires credentials (HTTP 401): {0}.', said);
}

/** The problem for a 401 or 403; undefined for any other status. It takes precedence over the body. */
export function unauthorized(response: HttpResponse, body: string): UnauthorizedProblem | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  return new UnauthorizedProblem(response.status, response.header('www-authenticate'), body.slice(0, quoted) || undefined);
}

/**
 * The error in a body, in any shape that agents use: JSON-RPC, `google.rpc.Status` (A2A 1.0 §11.6), problem details (RFC 9457),
 * `{code,message}`, `{message}`, `{detail}`, `{error:"…"}`, and a JSON-RPC error wrapped in any of these. Undefined if the body is not an
 * error.
 * @param names meaning of error codes in the protocol version in use
 * @param shown the status as people see it
 */
export function errorIn(body: unknown, status: number, names: ErrorNames, shown: Shown = status): Problem | undefined {
  // A result is read, and refused where it is nested too deeply, by other code.
  if (!isObject(body) || ('result' in body && !('error' in body) && !(isObject(body['result']) && isBareError(body['result']))))
    return undefined;
  return errorOf(limitedDepth(body) as Fields, status, names, shown);
}

type Shown = number | LocalizedMessage;

function errorOf(body: Fields, status: number, names: ErrorNames, shown: Shown): Problem | undefined {
  const { error } = body;
  const inner = isError(body, status) ? innerError(body) : undefined;
  if (inner !== undefined) return new A2AError(inner.code, inner.message, inner.data, names);
  if (isObject(error)) return fromErrorObject(error, status, names, shown);
  if (typeof error === 'string') return said(status, error, body, shown);
  if (isObject(body['result']) && isBareError(body['result'])) return fromErrorObject(body['result'], status, names, shown);
  if ('result' in body) return undefined;
  if (isBareError(body)) return fromErrorObject(body, status, names, shown);
  if (status < 400) return undefined;
  const words = [body['title'], body['detail'], body['message']].filter(word => typeof word === 'string' && word !== '');
  if (words.length > 0) return said(status, words.join(': '), body, shown);
  return 'detail' in body ? said(status, JSON.stringify(body['detail']), body, shown) : undefined;
}

/** True where the body may contain an error; results are not searched. */
function isError(body: Fields, status: number): boolean {
  const { error, root } = body;
  return isObject(error) || (status >= 400 && !('result' in body)) || (isObject(root) && isObject(root['error'])) || isBareError(body);
}

/** True for an object with `code` and `message` and without members of a task or message. */
function isBareError(value: Fields): boolean {
  return (
    Number.isInteger(value['code']) &&
    typeof value['message'] === 'string' &&
    !('status' in value && isObject(value['status'])) &&
    !('parts' in value)
  );
}

function fromErrorObject(error: Fields, status: number, names: ErrorNames, shown: Shown): Problem {
  const { code, message, data, details } = error;
  const plain = typeof message === 'string' ? message : JSON.stringify(error);
  // A code in words, such as INVALID_INPUT, is added to the message where there is no number.
  const words = typeof code === 'string' && code !== '' && !plain.includes(code) ? `${plain} (${code.slice(0, maxCode)})` : plain;
  // A code that is not one of JSON-RPC was not a JSON-RPC error on the wire.
  const isRpc = typeof code === 'number' && code < 0;
  const named = Array.isArray(details)
    ? errorByReason(details.filter(isObject), words, isRpc ? undefined : sentence('HTTP {0}', shown))
    : undefined;
  if (named !== undefined) return named;
  if (typeof code === 'number' && Number.isInteger(code) && typeof error['status'] !== 'string' && !Array.isArray(details)) {
    return new A2AError(code, words, data, names);
  }
  return said(status, words, error, shown);
}

/** The error that one of the details names by its reason (A2A 1.0 §5.4); undefined where none does. */
export function errorByReason(details: readonly Fields[], words: string, status?: A2AError['sent']): A2AError | undefined {
  const code = details.map(detail => codeOfReason(detail['reason'])).find(found => found !== undefined);
  return code === undefined ? undefined : new A2AError(code, words, details, errorNames, status);
}

function said(status: number, words: string, body: unknown, shown: Shown): Problem {
  return new Problem('http-error', sentence('The agent answered HTTP {0}: {1}', shown, words), {
    nextStep: nextSteps[status],
    details: JSON.stringify(body, null, 2),
  });
}

/** The problem for an answer that is not JSON, with its status and first bytes. */
export function unreadableBody(response: HttpResponse, body: string): Problem {
  const { status, mediaType } = response;
  const details = body.slice(0, quoted) || undefined;
  if (!response.ok) {
    const words = lastLine(body);
    const what =
      words === undefined ? sentence('The agent answered HTTP {0}.', status) : sentence('The agent answered HTTP {0}: {1}', status, words);
    return new Problem('http-error', what, { nextStep: nextSteps[status], details });
  }
  if (body.trim() === '') {
    return new Problem('empty-answer', sentence('The agent answered HTTP {0} with an empty body.', status), { nextStep: wrongAddress });
  }
  if (isCut(body))
    return new Problem('not-json', sentence("The agent's answer ends in the middle of its JSON."), { nextStep: lookAtLog, details });
  const fault = /^\s*[[{]/.test(body) ? faultIn(body) : undefined;
  if (fault !== undefined)
    return new Problem('not-json', sentence("The agent's answer is not JSON: {0}", fault), { nextStep: lookAtLog, details });
  return new Problem(
    'not-json',
    mediaType === 'text/html'
      ? sentence("Received a web page instead of the agent's answer.")
      : sentence("The agent's answer is not JSON (its media type is {0}).", mediaType || '–'),
    { nextStep: wrongAddress, details },
  );
}

/** The engine's message about a text that is not JSON, with the place; undefined for JSON. */
function faultIn(body: string): string | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/** The last line of a text, where a traceback has its error; undefined for a web page, and for a line without words. */
function lastLine(body: string): string | undefined {
  const text = body.trim();
  const from = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const line = text.slice(from, from + maxLine).replaceAll(/[\p{C}\s]+/gu, ' ');
  return text.startsWith('<') || !/[\p{L}\p{N}]/u.test(line) ? undefined : line;
}

/** True for text that begins as JSON and does not end as what it begins does. */
function isCut(body: string): boolean {
  const text = body.trim();
  return (text.startsWith('{') && !text.endsWith('}')) || (text.startsWith('[') && !text.endsWith(']'));
}

const lookAtLog = sentence("Look at the agent's own log at this time.");
const wrongAddress = sentence('Check that this address leads to the agent itself.');

/** The next step for an HTTP status. */
export const nextSteps: Readonly<Record<number, LocalizedMessage>> = {
  404: wrongAddress,
  405: wrongAddress,
  413: sentence('Send less: the server does not accept a request this long.'),
  415: sentence('The server does not accept this media type. Check which protocol binding it supports.'),
  429: sentence('The agent accepts no more requests at the moment. Wait and send again.'),
  500: sentence("Internal error in the agent. Look at the agent's own log at this time."),
  502: sentence('A proxy in front of the agent cannot reach it. Check that the agent is running.'),
  503: sentence('The agent is not available at the moment. Check that it is running.'),
  504: sentence('A proxy in front of the agent gave up waiting for it.'),
};
