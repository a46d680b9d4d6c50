import { A2AError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { requireShallow } from '../../protocol/json/nesting.ts';
import type { Operation } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isTaskRestTask } from '../../protocol/versions/taskRest/readTaskRest.ts';
import type { Route } from '../../protocol/versions/shared/version.ts';
import { errorIn, unauthorized, unreadableBody } from '../transport/agentError.ts';
import { withConfigured } from '../http/configuredHeaders.ts';
import { withRedirects } from '../http/redirects.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { parseJson } from '../http/parseJson.ts';
import { timeoutsFor } from '../http/timeouts.ts';
import type { CallOptions, Endpoint } from '../transport/transport.ts';

export const taskRestBinding = 'TASK-REST';

/** The address of a route, from the interface's: `{id}` is the task. */
function routeUrl(base: URL, { path }: Route, id: string): URL {
  // Such a name would lead to another place of the agent's.
  if (/^\.{0,2}$/.test(id) && path.includes('{id}')) {
    throw new Problem('bad-task-id', sentence('No task can be asked for by the name {0}.', JSON.stringify(id)));
  }
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path.replace('{id}', encodeURIComponent(id));
  return url;
}

/** One request to the API; a POST waits for the agent's work as long as it takes. */
export function request(
  peer: Endpoint,
  operation: Operation,
  route: Route,
  { id = '', body }: { readonly id?: string; readonly body?: string },
  options: CallOptions,
): Promise<HttpResponse> {
  return withRedirects(peer.http, {
    method: route.method,
    url: routeUrl(peer.url, route, id),
    headers: withConfigured(
      [['Accept', 'application/json'], ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const])],
      peer.headers,
    ),
    secret: peer.headers.secret,
    body,
    ...timeoutsFor(operation),
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    log: options.log,
    subject: { exchangeId: options.exchangeId, operation, protocolBinding: taskRestBinding, protocolVersion: peer.version.protocolVersion },
  });
}

/**
 * What the agent answered; undefined for an answer with nothing in it. A task object is an answer whatever the status of HTTP says.
 * @throws A2AError `TaskNotFoundError` for HTTP 404 about a task; Problem of the error that the answer is.
 */
export async function answerOf(response: HttpResponse, aboutTask: boolean): Promise<unknown> {
  const body = await response.text();
  const refused = unauthorized(response, body);
  if (refused !== undefined) throw refused;
  if (response.ok && body.trim() === '') return undefined;
  const value = parseJson(body);
  requireShallow(value);
  if (isTaskRestTask(value)) return value;
  if (response.status === 404 && aboutTask) throw new A2AError(-32001, wordsIn(value) ?? 'HTTP 404', value);
  if (value === undefined) throw unreadableBody(response, body);
  const error = errorIn(value, response.status, {});
  if (error !== undefined) throw error;
  if (!response.ok) throw unreadableBody(response, body);
  return value;
}

/** Most characters of an error that are said. */
const longest = 500;

/** What the agent says of its error, in any of the ways that agents say it. */
function wordsIn(value: unknown): string | undefined {
  const error = isObject(value) && 'error' in value ? value['error'] : value;
  const words = isObject(error) ? [error['message'], error['detail']].find(word => typeof word === 'string' && word !== '') : error;
  return typeof words === 'string' && words !== '' ? words.slice(0, longest) : undefined;
}
