import { isObject } from '../../protocol/json.ts';
import type { Operation, OperationParams } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { notInVersion } from '../../protocol/versions/shared/unreadable.ts';
import type { Route, Version } from '../../protocol/versions/shared/version.ts';

/** An operation as an HTTP+JSON request. */
export interface HttpJsonRequest {
  readonly method: Route['method'];
  /** Relative to the interface's address, percent-encoded, without a query. */
  readonly path: string;
  /** Without the question mark; `""` for none. */
  readonly query: string;
  /** Sent as JSON; undefined where the method has no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Converts an operation to HTTP+JSON (A2A 1.0 §11.3, 0.3 §3.5): tenant and task go into the path, the rest into the body, or into the query
 * of a GET.
 * @param form the form of a protocol version that has HTTP+JSON.
 * @throws Problem `operation-not-in-version`, `bad-task-id`
 */
export function httpJsonRequest<O extends Operation>(operation: O, params: OperationParams[O], form: Version): HttpJsonRequest {
  const route = form.routes?.[operation];
  if (route === undefined) throw notInVersion(form.protocolVersion, operation);
  const written = form.writeParams(operation, params);
  const inPath = new Set(route.path.match(/(?<=\{)\w+(?=\})/g));
  const { tenant, ...members } = isObject(written) ? written : {};
  const rest = Object.fromEntries(Object.entries(members).filter(([name]) => !inPath.has(name)));
  const named = new Map(Object.entries<unknown>(params));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(String(named.get(name) ?? '')));
  // Resource names of 0.3's protocol buffers, which are the path.
  const { name: _, parent: __, ...asked } = rest;
  return {
    method: route.method,
    path: typeof tenant === 'string' ? `/${segment(tenant)}${path}` : path,
    query: route.method === 'GET' ? queryOf(asked) : '',
    body: route.method === 'POST' ? rest : undefined,
  };
}

/** An id as one path segment. Dot segments would be resolved and change the path (RFC 3986 §5.2.4). */
function segment(id: string): string {
  if (id === '.' || id === '..' || id === '') {
    throw new Problem('bad-task-id', sentence('{0} cannot be part of the address of a request over HTTP+JSON.', JSON.stringify(id)), {
      nextStep: sentence('Use an interface of the agent card that supports JSONRPC.'),
    });
  }
  return encodeURIComponent(id.toWellFormed());
}

/** Camel-case names, decimal numbers, lists as repeated names (A2A 1.0 §11.5). A space is `%20`: `+` is specific to form encoding. */
function queryOf(members: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (['string', 'number', 'boolean'].includes(typeof one)) query.append(name, String(one));
    }
  }
  return query.toString().replaceAll('+', '%20');
}
