import { randomUUID } from 'node:crypto';
import { A2AError, supportedVersions } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { isObject } from '../../protocol/json.ts';
import { releases } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { UnauthorizedProblem } from '../transport/agentError.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { refusesVersion } from './refusal.ts';
import { taskRestBinding } from '../taskRest/exchange.ts';
import type { CallOptions, Endpoint, Transport } from '../transport/transport.ts';
import type { WireLog } from '../wireLog/wireLog.ts';

/** What an address answered when it was asked, in one binding of one version, for a task that nobody has. */
export type Reply =
  /** It knows the operation and has no such task. */
  | { readonly kind: 'speaks' }
  /** It does not know the operation, or refuses the version; `supported` are those it names. */
  | { readonly kind: 'other-version'; readonly supported: readonly string[] }
  /** Something answers HTTP, and no agent: a status such as 404 or 405, or a web page. */
  | { readonly kind: 'nothing-there'; readonly status: number }
  | { readonly kind: 'unauthorized' }
  /** No connection. */
  | { readonly kind: 'unreachable' }
  /** Nothing can be concluded. */
  | { readonly kind: 'unclear' };

export type ProbeOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'log'>;

/** Errors that only one who knows the operation answers. */
const knowing = new Set(['TaskNotFoundError', 'InvalidParamsError', 'UnsupportedOperationError']);

/** Asks for a task with an unlikely id: one request that changes nothing. Rejects with nothing but defects. */
export async function probe(transport: Transport, peer: Endpoint, options: ProbeOptions): Promise<Reply> {
  let last: Exchange | undefined;
  const log: WireLog = {
    exchange: exchange => {
      last = exchange;
      options.log?.exchange(exchange);
    },
    frames: (id, frames) => options.log?.frames(id, frames),
  };
  try {
    await transport.call(peer, 'GetTask', { id: randomUUID() }, { ...options, log });
    return { kind: 'speaks' };
  } catch (error) {
    const reply = replyOf(error, last);
    return reply.kind === 'speaks' ? (differentRoute(peer, last) ?? reply) : reply;
  }
}

/**
 * The routes and errors of HTTP+JSON show the protocol version, and transports also look for an agent under the routes of other versions: an
 * answer that only 1.0 gives is of 1.0; any other answer is of the earlier version under whose routes for tasks it was found.
 */
function differentRoute({ url, version }: Endpoint, exchange: Exchange | undefined): Reply | undefined {
  if (version.routes === undefined || exchange?.protocolBinding !== 'HTTP+JSON') return undefined;
  const found = new URL(exchange.request.url).pathname.replace(/[^/]*$/, '');
  const placeOf = ({ routes }: Version): string | undefined =>
    routes?.GetTask === undefined ? undefined : url.pathname.replace(/\/$/, '') + routes.GetTask.path.replace(/[^/]*$/, '');
  const isNewer = hasStatus(exchange.response?.body ?? '');
  const fits = (other: Version): boolean => other.routes !== undefined && (other.protoForm === undefined) === isNewer;
  // The answers of older protocol versions are not specified; those of 1.0 are, and no other version gives them.
  if (fits(version) || (!isNewer && placeOf(version) === found)) return undefined;
  const others = releases.filter(other => fits(other) && (isNewer || placeOf(other) === found));
  return others.length === 0 ? undefined : { kind: 'other-version', supported: others.map(({ protocolVersion }) => protocolVersion) };
}

/** Errors are `google.rpc.Status` from 1.0 on (A2A 1.0 §11.6). */
function hasStatus(body: string): boolean {
  const answer = parsed(body);
  return (
    isObject(answer) &&
    isObject(answer['error']) &&
    (typeof answer['error']['status'] === 'string' || Array.isArray(answer['error']['details']))
  );
}

function replyOf(error: unknown, exchange: Exchange | undefined): Reply {
  const { status = 0, body = '' } = exchange?.response ?? {};
  if (error instanceof UnauthorizedProblem) return { kind: 'unauthorized' };
  if (error instanceof ConnectionProblem) return { kind: error.code === 'unreachable' || error.code === 'tls' ? 'unreachable' : 'unclear' };
  // Of a task API it may be said of the task: no document tells how such a one says it.
  if (status === 404 && body.trim() === '' && exchange?.protocolBinding === taskRestBinding) return { kind: 'unclear' };
  if (refusesVersion(error, 'GetTask') || (error instanceof A2AError && error.meaning === 'MethodNotFoundError'))
    return { kind: 'other-version', supported: supportedVersions('data' in error ? error.data : undefined) };
  if ([404, 405, 501].includes(status) && !speaksOfTasks(body) && !isOwnNotFound(exchange)) return { kind: 'nothing-there', status };
  if (status >= 200 && status < 300 && isPage(exchange)) return { kind: 'nothing-there', status };
  return error instanceof A2AError && knowing.has(error.meaning ?? '') ? { kind: 'speaks' } : { kind: 'unclear' };
}

/** Servers say 404 of a task in many words; of a path they say it without the word. */
function speaksOfTasks(body: string): boolean {
  const answer = parsed(body);
  return (
    isObject(answer) &&
    (/task/i.test(body) || (isObject(answer['error']) && typeof answer['error']['code'] === 'number' && answer['error']['code'] < 0))
  );
}

/** Nobody says how a task API tells that a task is not there. One that tells it in JSON, and not as a framework tells it of a path, knows the place. */
function isOwnNotFound(exchange: Exchange | undefined): boolean {
  if (exchange?.protocolBinding !== taskRestBinding || exchange.response?.status !== 404) return false;
  const answer = parsed(exchange.response.body ?? '');
  return isObject(answer) && answer['detail'] !== 'Not Found';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

const isPage = (exchange: Exchange | undefined): boolean =>
  exchange?.response?.headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /^text\/html\b/i.test(value)) === true;

/** A JSON-RPC method of a version that another one lacks, where both know `tasks/get`: reading a webhook's settings changes nothing. */
export async function knowsWebhooksOf(
  version: Version,
  transport: Transport,
  peer: Endpoint,
  options: ProbeOptions,
): Promise<boolean | undefined> {
  const method = version.pushMethods.get;
  if (method === undefined || transport.sendRaw === undefined) return undefined;
  const body = JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params: { id: randomUUID() } });
  try {
    for await (const _ of transport.sendRaw({ ...peer, version }, body, options)) break;
    return true;
  } catch (error) {
    if (!(error instanceof A2AError)) return undefined;
    return error.errorName !== 'MethodNotFoundError';
  }
}
