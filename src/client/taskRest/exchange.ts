import { A2AError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { requireShallow } from '../../protocol/json/nesting.ts';
import type { Operation } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isTaskRestTask } from '../../protocol/versions/taskRest/readTaskRest.ts';
import type { Route } from '../../protocol/versions/shared/version.ts';
import { sendToAgent } from '../transport/agentRequest.ts';
import { errorIn, unauthorized, unreadableBody } from '../transport/agentError.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { parseJson } from '../http/parseJson.ts';
import { timeoutsFor } from '../http/timeouts.ts';
import type { CallOptions, Endpoint } from '../transport/transport.ts';
import { taskRestBinding } from './binding.ts';

/** The URL of a route; `{id}` is replaced by the task's id. */
function routeUrl(base: URL, { path }: Route, id: string): URL {
  // Such an id would change the path.
  if (/^\.{0,2}$/.test(id) && path.includes('{id}')) {
    throw new Problem('bad-task-id', sentence('{0} cannot be the id of a task in a request over HTTP+JSON.', JSON.stringify(id)));
  }
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path.replace('{id}', encodeURIComponent(id));
  return url;
}

/** Sends one request to the API; a POST waits for the agent's work without a time limit. */
export function request(
  endpoint: Endpoint,
  operation: Operation,
  route: Route,
  { id = '', body }: { readonly id?: string; readonly body?: string },
  options: CallOptions,
): Promise<HttpResponse> {
  return sendToAgent(
    endpoint,
    {
      method: route.method,
      url: routeUrl(endpoint.url, route, id),
      headers: [['Accept', 'application/json'], ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const])],
      body,
      timeouts: timeoutsFor(operation, endpoint.http),
      operation,
      protocolBinding: taskRestBinding,
      protocolVersion: endpoint.version.protocolVersion,
    },
    options,
  );
}

/**
 * The content of the answer; undefined where it is empty. A task object is an answer whatever the HTTP status is.
 * @throws A2AError `TaskNotFoundError` for HTTP 404 about a task; Problem for other errors
 */
export async function answerOf(response: HttpResponse, aboutTask: boolean): Promise<unknown> {
  const body = await response.text();
  const refused = unauthorized(response, body);
  if (refused !== undefined) throw refused;
  if (response.ok && body.trim() === '') return undefined;
  const value = parseJson(body);
  requireShallow(value);
  if (isTaskRestTask(value)) return value;
  if (response.status === 404 && aboutTask) throw new A2AError(-32001, wordsIn(value) ?? 'HTTP 404', value, undefined, 'HTTP 404');
  if (value === undefined) throw unreadableBody(response, body);
  const error = errorIn(value, response.status, {});
  if (error !== undefined) throw error;
  if (!response.ok) throw unreadableBody(response, body);
  return value;
}

/** Longest error text that is quoted, in characters. */
const maxLength = 500;

/** The text of an error, in any of the shapes that agents use. */
function wordsIn(value: unknown): string | undefined {
  const error = isObject(value) && 'error' in value ? value['error'] : value;
  const words = isObject(error) ? [error['message'], error['detail']].find(word => typeof word === 'string' && word !== '') : error;
  return typeof words === 'string' && words !== '' ? words.slice(0, maxLength) : undefined;
}
