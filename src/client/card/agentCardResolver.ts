import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { collect, type Finding, type Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { readAgentCard } from '../../protocol/versions/index.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { cardPlaces, isGrpcScheme, parseAddress, type CardPlace } from './agentAddress.ts';
import { boundedCard } from './cardBounds.ts';
import { cardProblem, type CardAttempt } from './cardProblem.ts';
import { configuredHeaders, noHeaders, withConfigured, type ConfiguredHeaders } from '../http/configuredHeaders.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { redirected } from '../http/redirects.ts';
import type { Http } from '../http/http.ts';
import { findOverGrpc, isHttp2Alone, wantsGrpc } from './grpcPlace.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { requireFewValues } from '../http/parseJson.ts';
import { longestWait } from '../http/longestWait.ts';
import type { SentCredentials } from '../wireLog/sentCredentials.ts';
import type { WireLog } from '../wireLog/wireLog.ts';

export interface ResolveOptions {
  readonly http: Http;
  /** Sent only to the origin of the address, also when it redirects elsewhere. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly log?: WireLog;
  /** Longest time for everything, in milliseconds; 20 s if left out. */
  readonly timeoutMs?: number;
  /** How long the server may be silent, in milliseconds; 10 s if left out. */
  readonly silenceMs?: number;
  /** What the person asks for: an agent over gRPC need not have a card where that is gRPC. */
  readonly wanted?: InterfaceSelector | undefined;
}

export interface ResolvedAgentCard {
  readonly card: AgentCard;
  /** Where the card was found, after redirects. */
  readonly cardUrl: string;
  /** The address as it was understood; the user trusts its origin. */
  readonly agentUrl: string;
  /** The card's text as received. */
  readonly source: string;
  readonly findings: readonly Finding[];
  /** Every place that was tried; the last one had the card. */
  readonly attempts: readonly CardAttempt[];
  /** The interface to use if nobody asks for another: the address is that of an interface. */
  readonly spoken?: InterfaceSelector;
}

const maxRedirects = 5;

/**
 * Finds and reads the card of an agent (A2A 1.0 §8.2) at an address as a person types it.
 * @throws Problem `bad-url`, `no-card`, `html-instead-of-card`, `card-not-json`, `not-a-card`; UnauthorizedProblem `unauthorized`;
 * Problem `http2-instead-of-card`, `grpc-without-card`; ConnectionProblem `unreachable`, `tls`, `cancelled`. Details list what was tried.
 */
export async function resolveAgentCard(address: string, options: ResolveOptions): Promise<ResolvedAgentCard> {
  const agentUrl = parseAddress(address);
  const headers = configuredHeaders(options.headers);
  const attempts: CardAttempt[] = [];
  const { timeoutMs = longestWait.card, silenceMs = longestWait.cardSilence } = options;
  const end = performance.now() + timeoutMs;
  const unreachable = (error: unknown): unknown => asUnreachable(error, silenceMs, performance.now() >= end - 5 ? timeoutMs : undefined);
  const overGrpc = async (): Promise<ResolvedAgentCard> => {
    const { http, signal, log, wanted } = options;
    const found = await findOverGrpc({
      url: agentUrl,
      typed: address.trim(),
      http,
      headers,
      signal,
      log,
      wanted,
      read: (card, note) => readBounded(card, note, ''),
    });
    return { ...found, cardUrl: agentUrl.href, agentUrl: agentUrl.href, attempts };
  };
  if (isGrpcScheme(address)) return overGrpc();
  for (const place of cardPlaces(agentUrl)) {
    let response: HttpResponse;
    try {
      response = await get(place.url, agentUrl.origin, headers, options, end);
    } catch (error) {
      if (await isHttp2Alone(error, place.url, options.signal)) return overGrpc();
      throw unreachable(error);
    }
    const { record } = response;
    try {
      const { attempt, source, found } = await read(place, response);
      attempts.push(attempt);
      record.end();
      if (found !== undefined) {
        return { card: found.card, cardUrl: response.url.href, agentUrl: agentUrl.href, source, findings: found.findings, attempts };
      }
    } catch (error) {
      record.end(error);
      throw unreachable(error);
    }
  }
  const problem = cardProblem(attempts, address.trim());
  if (!wantsGrpc(options.wanted)) throw problem;
  // A server of both HTTP/1.1 and HTTP/2 may have a gRPC service beside its pages.
  return overGrpc().catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'http2-instead-of-card' ? problem : error;
  });
}

/** GETs until that time (`performance.now()`), following redirects by hand so that headers stay with the origin they are for. */
async function get(
  from: URL,
  trusted: string,
  headers: ConfiguredHeaders,
  { http, signal, log, silenceMs = longestWait.cardSilence }: ResolveOptions,
  end: number,
): Promise<HttpResponse> {
  let url = from;
  for (let hop = 0; ; hop++) {
    const configured = url.origin === trusted ? headers : noHeaders;
    const response = await http.request({
      method: 'GET',
      url,
      headers: withConfigured(
        [
          ['Accept', 'application/json'],
          ['A2A-Version', '1.0'],
        ],
        configured,
      ),
      secret: configured.secret,
      headersTimeoutMs: silenceMs,
      bodyTimeoutMs: silenceMs,
      timeoutMs: Math.max(1, Math.round(end - performance.now())),
      signal,
      log,
      subject: { operation: 'AgentCard', protocolBinding: 'HTTP', protocolVersion: '1.0' },
    });
    const target = response.redirect;
    if (target === undefined || hop === maxRedirects || !/^https?:$/.test(target.protocol)) return response;
    response.discard();
    const elsewhere = response.record.credentials.isIn(target.host) ? redirected(response, target) : undefined;
    response.record.end(elsewhere);
    if (elsewhere !== undefined) throw elsewhere;
    url = target;
  }
}

/** A card may be inside another object; its size is bounded in any case. */
const readBounded = (value: unknown, note: Note, place: string): AgentCard =>
  boundedCard(readAgentCard(boundedCard(value, note), note, place), note);

interface Reading {
  readonly attempt: CardAttempt;
  readonly source: string;
  readonly found?: { readonly card: AgentCard; readonly findings: readonly Finding[] };
}

async function read({ cardOnly }: CardPlace, response: HttpResponse): Promise<Reading> {
  const { status, mediaType } = response;
  const facts = { url: response.url.href, status, cardOnly, challenge: response.header('www-authenticate') };
  // A stream may never end, and is not a card.
  if (mediaType === 'text/event-stream') {
    response.discard();
    return { attempt: { ...facts, outcome: 'refused' }, source: '' };
  }
  const source = await response.text();
  if (!response.ok) return { attempt: { ...facts, outcome: 'refused', source }, source };
  if (mediaType === 'text/html' || /^\s*<(!doctype|html)\b/i.test(source)) return { attempt: { ...facts, outcome: 'html' }, source };
  let value: unknown;
  try {
    requireFewValues(source);
    value = withAddresses(JSON.parse(source), response);
  } catch (error) {
    if (error instanceof Problem) return { attempt: { ...facts, outcome: 'not-a-card', problem: error, source }, source };
    return { attempt: { ...facts, outcome: 'not-json', problem: error as Error, source }, source };
  }
  const { note, findings } = collect();
  try {
    return { attempt: { ...facts, outcome: 'card' }, source, found: { card: readBounded(value, note, response.url.pathname), findings } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { attempt: { ...facts, outcome: 'not-a-card', problem: error, source }, source };
  } finally {
    for (const { rule, pointer, message } of findings) response.record.note(rule, pointer, message);
  }
}

/** The card with its interfaces' addresses as they came: a masked one leads nowhere. One with a credential in the name of its host stays masked. */
function withAddresses(masked: unknown, { unmasked, record: { credentials } }: HttpResponse): unknown {
  const whole: unknown = unmasked === undefined || credentials.none ? undefined : JSON.parse(unmasked);
  if (!isObject(masked) || !isObject(whole)) return masked;
  const address = (shown: unknown, came: unknown): { readonly url: unknown } =>
    typeof came === 'string' && keepsHost(came, credentials) ? { url: came } : { url: shown };
  const addresses: Record<string, unknown> = 'url' in whole ? address(masked['url'], whole['url']) : {};
  for (const list of ['supportedInterfaces', 'additionalInterfaces']) {
    const [shown, came] = [masked[list], whole[list]];
    if (!Array.isArray(shown) || !Array.isArray(came)) continue;
    addresses[list] = shown.map((each: unknown, index) => {
      const other: unknown = came[index];
      return isObject(each) && isObject(other) && 'url' in other ? { ...each, ...address(each['url'], other['url']) } : each;
    });
  }
  return { ...masked, ...addresses };
}

/** Whether an address can be asked for without telling a credential to everybody who looks up names. */
function keepsHost(address: string, credentials: SentCredentials): boolean {
  const text = hasScheme.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return /^(?:https?|grpcs?|wss?|dns):$/.test(protocol) && !credentials.isIn(host) && !credentials.isIn(`${username} ${password}`);
}

const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i;

/** A GET may be repeated at will, so all that matters is that no card can be had. @param lateAfterMs where the time for all of it was up. */
function asUnreachable(error: unknown, silenceMs: number, lateAfterMs?: number): unknown {
  if (!(error instanceof ConnectionProblem) || ['tls', 'cancelled', 'unreachable'].includes(error.code)) return error;
  // Nothing was asked of the agent itself: there are no tasks to look at.
  const what =
    error.code === 'timeout' && lateAfterMs !== undefined
      ? sentence('The agent card did not arrive whole within {0} seconds.', lateAfterMs / 1000)
      : error.code === 'timeout' && error.reached === 'unknown'
        ? sentence('The server took the request for the agent card but did not begin to answer within {0} seconds.', silenceMs / 1000)
        : error.code === 'connection-lost' && error.reached === 'unknown'
          ? sentence('The server closed the connection before it answered the request for the agent card.')
          : error.sentence;
  return new ConnectionProblem('unreachable', what, error.reached, {
    details: error.details,
    cause: error,
    nextStep: error.code === 'not-http' ? error.nextStep : sentence('Start the agent anew, or correct its address.'),
  });
}
