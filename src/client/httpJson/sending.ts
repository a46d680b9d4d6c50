import { A2AError } from '../../protocol/errors.ts';
import type { Headers } from '../../protocol/exchange.ts';
import type { Operation } from '../../protocol/message/operations.ts';
import { Problem } from '../../protocol/problem.ts';
import { isResult } from '../../protocol/versions/shared/readWrapped.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { sendToAgent } from '../transport/agentRequest.ts';
import { readUnary } from '../transport/answer.ts';
import type { extendedCardOperation } from '../transport/operationAnswer.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { addresses, addressOf } from './address.ts';
import { httpJsonEnvelope } from './envelope.ts';
import type { HttpJsonRequest } from './request.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { parseJson } from '../http/parseJson.ts';
import type { Timeouts } from '../http/timeouts.ts';
import type { CallOptions, Endpoint } from '../transport/transport.ts';

export const protocolBinding = 'HTTP+JSON';

interface Sending extends Omit<HttpJsonRequest, 'body'> {
  /** A text is sent as it is. */
  readonly body: HttpJsonRequest['body'] | string;
  readonly operation: Operation | typeof extendedCardOperation;
  readonly version: Version;
  /** True if a stream is expected. */
  readonly streams: boolean;
  readonly timeouts: Timeouts;
}

/** A possible method and address for a request. */
interface Place {
  /** Index in the list of addresses. */
  readonly address: number;
  readonly pathname: string;
  readonly method: HttpJsonRequest['method'];
}

/** Address of an endpoint's routes, as its index, and the method for subscribing. */
interface Found {
  readonly address: number;
  readonly subscribes?: HttpJsonRequest['method'];
}
const foundAt = new WeakMap<Endpoint, Found>();

/**
 * Sends a request to the address with the agent's routes. Only an answer that shows that nothing is there (404 without an A2A error, a
 * result or a stream) is followed by a request to the next address, so nothing is executed twice. What was found is remembered for the
 * endpoint.
 * @throws Problem the agent's error about the task, or the first refusal where every address refuses; ConnectionProblem
 */
export async function sendToRoute(endpoint: Endpoint, sending: Sending, options: CallOptions): Promise<HttpResponse> {
  let refusal: Problem | undefined;
  /** An address that exists but does not accept the method. */
  let existing: number | undefined;
  for (const [index, place] of placesFor(endpoint, sending).entries()) {
    if (existing !== undefined && place.address !== existing) continue;
    const exchangeId = index === 0 || options.exchangeId === undefined ? options.exchangeId : `${options.exchangeId}+${index}`;
    const response = await send(endpoint, sending, place, { ...options, exchangeId });
    const { status, ok } = response;
    const refused = status === 404 || status === 405 ? await refusalOf(response, sending.version) : undefined;
    if (refused === undefined) {
      if (ok) remember(endpoint, sending, place);
      return response;
    }
    if (status === 404 && refused instanceof A2AError && !(isSubscription(sending) && isFallThrough(refused))) {
      remember(endpoint, sending, place);
      throw refused;
    }
    if (status === 405) existing = place.address;
    refusal ??= refused;
  }
  throw refusal!;
}

const isSubscription = ({ operation }: Sending): boolean => operation === 'SubscribeToTask';

/**
 * Possible places of a request. For subscribing, the specification has POST and its protocol buffers have GET (A2A 1.0 §11.3.2): GET is
 * tried where POST is not accepted.
 */
function placesFor(endpoint: Endpoint, sending: Sending): readonly Place[] {
  const known = foundAt.get(endpoint);
  const methods = !isSubscription(sending)
    ? [sending.method]
    : known?.subscribes === undefined
      ? (['POST', 'GET'] as const)
      : [known.subscribes];
  return addresses(endpoint.url, sending.path)
    .flatMap((pathname, address) => methods.map(method => ({ address, pathname, method })))
    .filter(({ address }) => known === undefined || known.address === address);
}

function remember(endpoint: Endpoint, sending: Sending, { address, method }: Place): void {
  foundAt.set(endpoint, { ...foundAt.get(endpoint), address, ...(isSubscription(sending) && { subscribes: method }) });
}

/** A server without a route for subscribing reads `:subscribe` as part of the task's id. */
const isFallThrough = ({ rpcCode, message }: A2AError): boolean => rpcCode === -32001 && message.includes(':subscribe');

/**
 * The problem for a refusal, whose exchange ends; undefined for a result or a stream, which the agent sent in spite of its status.
 * @throws ConnectionProblem
 */
async function refusalOf(response: HttpResponse, { errorNames }: Version): Promise<Problem | undefined> {
  if (response.mediaType === 'text/event-stream') return undefined;
  let problem: unknown;
  try {
    if (isResult(parseJson(await response.text()))) return undefined;
    await readUnary(response, httpJsonEnvelope(errorNames), () => undefined);
  } catch (error) {
    problem = error;
  }
  response.record.end(problem);
  if (!(problem instanceof Problem) || problem instanceof ConnectionProblem) throw problem;
  return problem;
}

function send(endpoint: Endpoint, sending: Sending, { pathname, method }: Place, options: CallOptions): Promise<HttpResponse> {
  const { version, operation, streams, timeouts } = sending;
  const { protocolVersion } = version;
  const given = method === 'GET' ? undefined : sending.body;
  const body = typeof given === 'object' ? JSON.stringify(given) : given;
  const headers = [...headersFor(version, streams, body !== undefined), ...endpoint.extensions];
  const url = addressOf(endpoint.url, pathname, sending.query);
  return sendToAgent(endpoint, { method, url, headers, body, timeouts, operation, protocolBinding, protocolVersion }, options);
}

/**
 * Media types of the protocol version (A2A 1.0 §11.1, 0.3 §3.2.3). Any other type is accepted with the lowest priority: it would be read
 * anyway, and a request that was refused because of its `Accept` could not be repeated.
 */
export function headersFor({ header }: Version, streams: boolean, hasBody: boolean): Headers {
  const own = header === undefined ? [] : ['application/a2a+json'];
  return [
    ...(hasBody ? [['Content-Type', own[0] ?? 'application/json'] as const] : []),
    ['Accept', [...(streams ? ['text/event-stream'] : []), ...own, 'application/json', '*/*;q=0.1'].join(', ')],
    ...(header === undefined ? [] : [['A2A-Version', header] as const]),
  ];
}
