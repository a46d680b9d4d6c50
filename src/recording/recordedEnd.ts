import type { BindingName, ScriptedError } from '../mock/binding.ts';
import type { Step } from '../mock/script.ts';
import { errorNames, statusNames } from '../protocol/errors.ts';
import { closedByClient, closedWithWindow } from '../protocol/exchange.ts';
import { isObject } from '../protocol/json.ts';
import { parseExactly } from '../protocol/json/exactJson.ts';
import type { RecordedExchange } from './recording.ts';

/** How an answer ended that did not end as the protocol has it: an error, a status with its text, or a connection that broke. */
export type RecordedEnd =
  | { readonly error: ScriptedError }
  | { readonly status: number; readonly mediaType: string; readonly body: string }
  /** The name of a status of gRPC that is no error of A2A. */
  | { readonly grpc: string; readonly message: string }
  | 'broken';

/** A failure over gRPC: the error of A2A if it is one, the status and the agent's words. Its status is in trailers, which no recording has. */
const grpcFailure = /^The (?:agent|call) [^:]*?(?:\b(\w+Error) )?\(?gRPC ([A-Z_]+)\)?: (.*)$/s;

/** HTTP statuses for those of gRPC that are no errors of A2A; 500 for any other. */
const httpStatuses: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** The steps of an answer that ends so. @param isOpen true after events */
export function* endSteps(end: RecordedEnd, binding: BindingName, isOpen: boolean): Generator<Step> {
  if (end === 'broken') return yield { reset: true };
  if ('error' in end) return yield { error: end.error };
  if ('grpc' in end && binding === 'GRPC') {
    const status = statusNames.findIndex(name => name === end.grpc);
    return yield { status: 200, headers: { 'grpc-status': String(status), 'grpc-message': encodeURIComponent(end.message) } };
  }
  if ('grpc' in end && isOpen) return yield { error: { code: -32603, message: end.message } };
  const { status, mediaType, body } =
    'grpc' in end ? { status: httpStatuses[end.grpc] ?? 500, mediaType: 'text/plain', body: end.message } : end;
  yield { status, headers: { 'content-type': mediaType } };
  yield { raw: body };
}

/** How an answer ended; undefined where it did as the protocol has it, or where the client left. */
export function endOf({ exchange, frames }: RecordedExchange): RecordedEnd | undefined {
  const { response, protocolBinding, failure } = exchange;
  // An interim answer is none.
  if (response === undefined || response.status < 200) return 'broken';
  if (protocolBinding === 'GRPC' && failure !== undefined) {
    const [, name, status, message] = grpcFailure.exec(failure) ?? [];
    const code = Object.keys(errorNames).find(each => errorNames[Number(each)] === name);
    if (message !== undefined) return code === undefined ? { grpc: status!, message } : { error: { code: Number(code), message } };
  }
  const { status, headers, body } = response;
  const last = frames.at(-1);
  const error = protocolBinding === 'JSONRPC' ? errorIn(jsonIn(body ?? last?.data ?? '')) : undefined;
  if (error !== undefined) return { error };
  if (status >= 400 || (body !== undefined && jsonIn(body) === undefined)) {
    const mediaType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text/plain';
    return { status, mediaType, body: body ?? '' };
  }
  return failure === undefined || failure === closedByClient || failure === closedWithWindow ? undefined : 'broken';
}

function errorIn(value: unknown): ScriptedError | undefined {
  const error = isObject(value) ? value['error'] : undefined;
  if (!isObject(error) || typeof error['code'] !== 'number') return undefined;
  const { code, message, data } = error;
  return { code, message: typeof message === 'string' ? message : '', ...(data !== undefined && { data }) };
}

/** The value of a JSON text; undefined for any other text, and for one that is nested too deeply to be read. */
export function jsonIn(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
