import { ignoreFindings } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import { operations, type Operation } from '../protocol/message/operations.ts';
import { inCamelCase, protoNames } from '../protocol/protoNames.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { OtherMethod, Binding, IncomingRequest, ResponseFormat, ScriptedError } from './binding.ts';
import { jsonOf } from './body.ts';
import { notJson, paramsOrError } from './paramsOrError.ts';
import { headError } from './requestHead.ts';
import { errorDetails } from './errorDetails.ts';

const formatOf = (form: Version): ResponseFormat => ({
  mediaType: form.header === undefined ? 'application/json' : 'application/a2a+json',
  result: written => written,
  error: error => httpJsonError(error, form),
  // A2A 1.0 §11.6.
  errorMediaType: 'application/json',
  errorEvent: 'error',
});

interface Match {
  readonly operation: Operation;
  /** Parameters in the path, decoded. */
  readonly named: { readonly tenant?: string; readonly taskId?: string; readonly id?: string };
}

/** The operation for a method and path. Where the version has tenants, the path may start with one; SubscribeToTask may be a GET. */
function matching({ method }: IncomingRequest, path: string, form: Version): Match | undefined {
  const tenant = form.unsupported.includes('tenant') ? '' : '(?:/(?<tenant>[^/]+))?';
  for (const operation of operations) {
    const route = form.routes?.[operation];
    if (route === undefined || (method !== route.method && !(operation === 'SubscribeToTask' && method === 'GET'))) continue;
    const found = new RegExp(`^${tenant}${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/:]+)')}$`).exec(path);
    if (found === null) continue;
    const named = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined);
    return { operation, named: Object.fromEntries(named.map(([name, value]) => [name, decoded(value)])) };
  }
  return undefined;
}

/** Requests for the extended card, where the version has it over HTTP+JSON (A2A 1.0 §11.3, 0.3 §3.5.6). */
function otherMethodOf({ method }: IncomingRequest, path: string, form: Version): OtherMethod | undefined {
  const tenant = form.unsupported.includes('tenant') ? '' : '(?:/[^/]+)?';
  const card = form.header === undefined ? '/v1/card' : `${tenant}/extendedAgentCard`;
  return method === 'GET' && new RegExp(`^${card}$`).test(path) ? 'extendedCard' : undefined;
}

/** Decodes a path segment; one with invalid percent-encoding is returned unchanged. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Query parameters that are numbers (A2A 1.0 §11.5). */
const numbers = new Set(['historyLength', 'pageSize', 'history_length', 'page_size']);

const queryOf = (query: URLSearchParams): object =>
  Object.fromEntries(
    [...query].map(([name, value]) => [
      name,
      numbers.has(name) ? Number(value) : /^include_?artifacts$/i.test(name) ? value === 'true' : value,
    ]),
  );

/** HTTP+JSON: resources and verbs (A2A 1.0 §11, 0.3 §3.2.3). */
export const httpJson: Binding = {
  versionFor: version => (version.routes === undefined ? undefined : (version.protoForm ?? version)),
  parse(came, form) {
    const format = formatOf(form);
    const [asWritten = '', query] = came.url.split('?', 2);
    // A base URL that ends with a slash joined with a path that starts with one gives two slashes.
    const path = asWritten.replace(/^\/+/, '/');
    const match = matching(came, path, form);
    const otherMethod = otherMethodOf(came, path, form);
    if (match === undefined && otherMethod === undefined)
      return { format, ...(came.method !== 'GET' && came.method !== 'HEAD' && { turn: [{ status: 404 }] }) };
    const head = headError(came, form);
    if (head !== undefined) return { operation: match?.operation, format, turn: [{ error: head }] };
    if (match === undefined) return { otherMethod, format };
    const { operation, named } = match;
    let asked: unknown;
    try {
      // The body may be empty where the path has all parameters, as for CancelTask.
      asked = came.method !== 'POST' ? queryOf(new URLSearchParams(query)) : came.body.trim() === '' ? {} : jsonOf(came.body);
    } catch (error) {
      return { operation, format, turn: [{ error: notJson(error) }] };
    }
    return {
      operation,
      format,
      ...paramsOrError(() =>
        form.readParams(operation, { ...(isObject(asked) ? inCamelCase(asked, protoNames) : {}), ...named }, ignoreFindings),
      ),
    };
  },
};

interface Status {
  readonly http: number;
  /** `google.rpc.Code`. */
  readonly name: string;
}

const invalid: Status = { http: 400, name: 'INVALID_ARGUMENT' };
const precondition: Status = { http: 400, name: 'FAILED_PRECONDITION' };
const internal: Status = { http: 500, name: 'INTERNAL' };
const notFound: Status = { http: 404, name: 'NOT_FOUND' };

/** A2A 1.0 §5.4. */
const statuses: Readonly<Record<number, Status>> = {
  [-32700]: invalid,
  [-32600]: invalid,
  [-32601]: notFound,
  [-32602]: invalid,
  [-32603]: internal,
  [-32001]: notFound,
  [-32002]: precondition,
  [-32003]: precondition,
  [-32004]: precondition,
  [-32005]: invalid,
  [-32006]: internal,
  [-32007]: precondition,
  [-32008]: precondition,
  [-32009]: precondition,
};

/** The name of gRPC's status for an error (A2A 1.0 §5.4). */
export const grpcNameOf = (code: number): string => (statuses[code] ?? internal).name;

/**
 * An error over HTTP+JSON: `google.rpc.Status` with the error's reason (A2A 1.0 §11.6). 0.3 does not define the shape; this is the one of
 * its JavaScript SDK, which has the code.
 */
function httpJsonError(error: ScriptedError, form: Version): ReturnType<ResponseFormat['error']> {
  const { code, message, data } = error;
  const { http, name } = statuses[code] ?? internal;
  if (form.header === undefined)
    return { status: code === -32002 ? 409 : http, body: { code, message, ...(data !== undefined && { data }) } };
  const details = errorDetails(error, form);
  return {
    status: http,
    body: { error: { code: http, status: name, message, details: Array.isArray(details) ? (details as unknown[]) : [] } },
  };
}
