import { randomUUID } from 'node:crypto';
import { A2AError, supportedVersions } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { shapeIn } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { holdsMany } from '../../protocol/json/valueCount.ts';
import { releases } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { UnauthorizedProblem } from '../transport/agentError.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { parseJson } from '../http/parseJson.ts';
import { refusesVersion } from './refusal.ts';
import { taskRestBinding } from '../taskRest/binding.ts';
import type { CallOptions, Endpoint, Transport } from '../transport/transport.ts';
import type { WireLog } from '../wireLog/wireLog.ts';

/** The reply of an address, in one binding and version, to a request for a task that does not exist. */
export type Reply =
  /** It supports the operation and has no such task. */
  | { readonly kind: 'supported' }
  /** It refuses the version, or `lacks` the operation alone; `supported` lists the versions that it names. */
  | { readonly kind: 'other-version'; readonly supported: readonly string[]; readonly lacks?: boolean }
  /** An HTTP server that is not an agent: a status such as 404 or 405, or a web page. */
  | { readonly kind: 'nothing-there'; readonly status: number }
  | { readonly kind: 'unauthorized' }
  /** No connection. */
  | { readonly kind: 'unreachable' }
  /** Nothing can be concluded. */
  | { readonly kind: 'unclear' };

export type ProbeOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'log'>;

/** Errors that only a server answers that supports the operation. */
const knowing = new Set(['TaskNotFoundError', 'InvalidParamsError', 'UnsupportedOperationError']);

/** Requests a task with an unlikely id: one request that changes nothing. Rejects only because of a defect in our code. */
export async function probe(transport: Transport, endpoint: Endpoint, options: ProbeOptions): Promise<Reply> {
  let last: Exchange | undefined;
  const log: WireLog = {
    exchange: exchange => {
      last = exchange;
      options.log?.exchange(exchange);
    },
    frames: (id, frames) => options.log?.frames(id, frames),
  };
  try {
    const { findings } = await transport.call(endpoint, 'GetTask', { id: randomUUID() }, { ...options, log });
    const shape = shapeIn(findings);
    return shape === undefined ? { kind: 'supported' } : { kind: 'other-version', supported: [shape] };
  } catch (error) {
    const reply = replyOf(error, last);
    return reply.kind === 'supported' ? (differentRoute(endpoint, last) ?? reply) : reply;
  }
}

/**
 * Routes and errors of HTTP+JSON depend on the protocol version, and transports also try the routes of other versions. An answer that only
 * 1.0 gives means 1.0; any other answer means the earlier version whose task routes were found.
 */
function differentRoute({ url, version }: Endpoint, exchange: Exchange | undefined): Reply | undefined {
  if (version.routes === undefined || exchange?.protocolBinding !== 'HTTP+JSON') return undefined;
  const found = new URL(exchange.request.url).pathname.replace(/[^/]*$/, '');
  const placeOf = ({ routes }: Version): string | undefined =>
    routes?.GetTask === undefined ? undefined : url.pathname.replace(/\/$/, '') + routes.GetTask.path.replace(/[^/]*$/, '');
  const isNewer = hasStatus(exchange.response?.body ?? '');
  const fits = (other: Version): boolean => other.routes !== undefined && (other.protoForm === undefined) === isNewer;
  // Answers of older protocol versions are not specified; those of 1.0 are, and no other version gives them.
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
  // A task API may answer like this for an unknown task: its documents do not specify it.
  if (status === 404 && body.trim() === '' && exchange?.protocolBinding === taskRestBinding) return { kind: 'unclear' };
  if (refusesVersion(error, 'GetTask') || (error instanceof A2AError && error.meaning === 'MethodNotFoundError'))
    return {
      kind: 'other-version',
      supported: supportedVersions('data' in error ? error.data : undefined),
      lacks: !(error instanceof A2AError && error.errorName === 'VersionNotSupportedError'),
    };
  if ([404, 405, 501].includes(status) && !mentionsTasks(body) && !isOwnNotFound(exchange)) return { kind: 'nothing-there', status };
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && isPage(exchange)) return { kind: 'nothing-there', status };
  // An error in the shape of the binding is from the agent, whatever it says; with another status it may be from a gateway.
  if (isSuccess && exchange?.protocolBinding === 'HTTP+JSON' && hasStatus(body)) return { kind: 'supported' };
  return error instanceof A2AError && knowing.has(error.meaning ?? '') ? { kind: 'supported' } : { kind: 'unclear' };
}

/** Servers answer 404 for a task with varying texts; for a path their text does not contain the word. */
function mentionsTasks(body: string): boolean {
  const answer = parsed(body);
  return (
    isObject(answer) &&
    (/task/i.test(body) || (isObject(answer['error']) && typeof answer['error']['code'] === 'number' && answer['error']['code'] < 0))
  );
}

/**
 * It is not specified how a task API answers for an unknown task. An answer in JSON that is not a framework's answer for an unknown path
 * shows that the route exists.
 */
function isOwnNotFound(exchange: Exchange | undefined): boolean {
  if (exchange?.protocolBinding !== taskRestBinding || exchange.response?.status !== 404) return false;
  const answer = parsed(exchange.response.body ?? '');
  return isObject(answer) && answer['detail'] !== 'Not Found';
}

const parsed = (body: string): unknown => (holdsMany(body) ? undefined : parseJson(body));

/** True for a web page; JSON of that media type is an answer. */
const isPage = (exchange: Exchange | undefined): boolean =>
  parsed(exchange?.response?.body ?? '') === undefined &&
  exchange?.response?.headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /^text\/html\b/i.test(value)) === true;
