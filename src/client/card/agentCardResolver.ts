import { exactJson } from '../../protocol/json/exactJson.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { collect, type Finding, findingSentence } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { cardPlaces, isGrpcScheme, parseAddress, type CardPlace } from './agentAddress.ts';
import { readBounded } from './readBounded.ts';
import type { CardAttempt } from './cardProblem.ts';
import { configuredHeaders, noHeaders, withConfigured, type ConfiguredHeaders, type GivenHeaders } from '../http/configuredHeaders.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { downgraded, redirected } from '../http/redirects.ts';
import type { Http } from '../http/http.ts';
import { findOverGrpc, isHttp2Only, wantsGrpc } from './findOverGrpc.ts';
import { isJsonType, type HttpResponse } from '../http/httpResponse.ts';
import { requireFewValues } from '../http/parseJson.ts';
import { timeLimits } from '../http/timeLimits.ts';
import type { SentCredentials } from '../wireLog/sentCredentials.ts';
import type { WireLog } from '../wireLog/wireLog.ts';
import { cardProblem } from './cardProblem.ts';
import { withoutCard } from './withoutCard.ts';

export interface ResolveOptions {
  readonly http: Http;
  /** Sent only to the origin of the address, not to other origins after a redirect. */
  readonly headers?: GivenHeaders;
  readonly signal?: AbortSignal;
  readonly log?: WireLog;
  /** Longest time for all requests, in milliseconds; default 20 s, or longer where the agent's settings allow an answer longer. */
  readonly timeoutMs?: number;
  /** Longest silence of the server, in milliseconds; default that of the agent's settings, or 10 s. */
  readonly silenceMs?: number;
  /** The interface that the person selected. An agent needs no card where that is gRPC, or has all three members. */
  readonly wanted?: InterfaceSelector | undefined;
  /** The card of the last fetch: it is the result where the server answers that it has not changed (HTTP 304). */
  readonly known?: ResolvedAgentCard;
}

export interface ResolvedAgentCard {
  readonly card: AgentCard;
  /** Address of the card, after redirects. */
  readonly cardUrl: string;
  /** The parsed address; the user trusts its origin. */
  readonly agentUrl: string;
  /** The card's text as received, with credentials of the request masked. */
  readonly source: string;
  /** Entity tag of the card (RFC 9110 §8.8.3). */
  readonly etag?: string | undefined;
  /** The text without the masks, which a signature is over; set where there are any. Never show or store it. */
  readonly original?: () => string;
  readonly findings: readonly Finding[];
  /** Every address that was tried; the last one had the card. */
  readonly attempts: readonly CardAttempt[];
  /** Set where the address is that of an interface: it is used unless another one is selected. */
  readonly ownInterface?: InterfaceSelector;
  /** Reason why there is no card; `card` then contains only the interface that the person selected. */
  readonly noCard?: Problem;
}

const maxRedirects = 5;
const entityTag = /^(?:W\/)?"[!#-~]{0,256}"$/;
/** Longest part of an answer without a card that is kept, in UTF-16 code units: nothing quotes more. */
const maxQuoted = 4096;

/**
 * Finds and reads the card of an agent (A2A 1.0 §8.2), given an address as a person types it.
 * @throws Problem `bad-url`, `no-card`, `html-instead-of-card`, `card-not-json`, `not-a-card`, `http2-instead-of-card`,
 * `grpc-without-card`, `redirected`; UnauthorizedProblem `unauthorized`; ConnectionProblem `unreachable`, `tls`, `cancelled`. Details list what was
 * tried.
 */
export async function resolveAgentCard(address: string, options: ResolveOptions): Promise<ResolvedAgentCard> {
  try {
    return await findCard(address, options);
  } catch (error) {
    const without = withoutCard(error, address, options.wanted);
    if (without === undefined) throw error;
    return without;
  }
}

async function findCard(address: string, options: ResolveOptions): Promise<ResolvedAgentCard> {
  const agentUrl = parseAddress(address);
  const headers = configuredHeaders(options.headers);
  const attempts: CardAttempt[] = [];
  const { answerTimeoutMs } = options.http;
  const { timeoutMs = Math.max(timeLimits.card, answerTimeoutMs ?? 0), silenceMs = answerTimeoutMs ?? timeLimits.cardSilence } = options;
  const end = performance.now() + timeoutMs;
  const unreachable = (error: unknown): unknown =>
    asUnreachable(error, agentUrl, silenceMs, performance.now() >= end - 5 ? timeoutMs : undefined);
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
      response = await get(place.url, agentUrl.origin, headers, { ...options, silenceMs }, end);
    } catch (error) {
      if (await isHttp2Only(error, place.url, options)) return overGrpc();
      throw unreachable(error);
    }
    const { record } = response;
    if (response.status === 304 && options.known !== undefined) {
      response.discard();
      record.end();
      return options.known;
    }
    try {
      const { attempt, source, found } = await read(place, response);
      const { unmasked } = response;
      attempts.push(attempt);
      record.end();
      if (found !== undefined) {
        return {
          card: found.card,
          cardUrl: response.url.href,
          agentUrl: agentUrl.href,
          source,
          etag: response.header('etag'),
          ...(unmasked !== undefined && unmasked !== source && { original: () => unmasked }),
          findings: found.findings,
          attempts,
        };
      }
    } catch (error) {
      record.end(error);
      throw unreachable(error);
    }
  }
  const problem = await cardProblem(attempts, address.trim(), { headers, url: agentUrl });
  if (!wantsGrpc(options.wanted)) throw problem;
  // A server with both HTTP/1.1 and HTTP/2 may offer a gRPC service beside its pages.
  return overGrpc().catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'http2-instead-of-card' ? problem : error;
  });
}

/**
 * Sends GET requests until `end` (in the time of `performance.now()`). Follows redirects itself, so that headers are sent only to their
 * origin.
 */
async function get(
  from: URL,
  trusted: string,
  headers: ConfiguredHeaders,
  { http, signal, log, silenceMs = timeLimits.cardSilence, known }: ResolveOptions,
  end: number,
): Promise<HttpResponse> {
  let url = from;
  for (let hop = 0; ; hop++) {
    const configured = url.origin === trusted ? headers : noHeaders;
    const { etag = '' } = known?.cardUrl === url.href ? known : {};
    const response = await http.request({
      method: 'GET',
      url,
      headers: await withConfigured(
        [['Accept', 'application/json'], ['A2A-Version', '1.0'], ...(entityTag.test(etag) ? [['If-None-Match', etag] as const] : [])],
        configured,
        url,
      ),
      secret: configured.secret,
      tls: configured.tls,
      headersTimeoutMs: silenceMs,
      bodyTimeoutMs: silenceMs,
      timeoutMs: Math.max(1, Math.round(end - performance.now())),
      signal,
      log,
      subject: { operation: 'AgentCard', protocolBinding: 'HTTP', protocolVersion: '1.0', satisfies: await configured.satisfies(url) },
    });
    const target = response.redirect;
    if (target === undefined || hop === maxRedirects || !/^https?:$/.test(target.protocol)) return response;
    response.discard();
    const refused = response.record.credentials.isIn(target.host)
      ? redirected(response, target)
      : url.protocol === 'https:' && target.protocol === 'http:'
        ? downgraded(response, target)
        : undefined;
    response.record.end(refused);
    if (refused !== undefined) throw refused;
    url = target;
  }
}

interface Reading {
  readonly attempt: CardAttempt;
  readonly source: string;
  readonly found?: { readonly card: AgentCard; readonly findings: readonly Finding[] };
}

async function read({ cardOnly }: CardPlace, response: HttpResponse): Promise<Reading> {
  const { status, mediaType } = response;
  const facts = { url: response.url.href, status, cardOnly, challenge: response.header('www-authenticate') };
  // A stream may never end, and it is not a card.
  if (mediaType === 'text/event-stream') {
    response.discard();
    return { attempt: { ...facts, outcome: 'refused' }, source: '' };
  }
  const source = await response.text();
  const beginning = beginningOf(source, maxQuoted);
  if (!response.ok) return { attempt: { ...facts, outcome: 'refused', source: beginning }, source };
  const isPage = mediaType === 'text/html' ? !source.trimStart().startsWith('{') : /^\s*<(!doctype|html)\b/i.test(source);
  if (isPage) return { attempt: { ...facts, outcome: 'html' }, source };
  let value: unknown;
  try {
    requireFewValues(source);
    value = withAddresses(exactJson(source), response);
  } catch (error) {
    if (error instanceof Problem) return { attempt: { ...facts, outcome: 'not-a-card', problem: error, source: beginning }, source };
    return { attempt: { ...facts, outcome: 'not-json', problem: error as Error, source: beginning }, source };
  }
  const { note, findings } = collect();
  if (mediaType !== '' && !isJsonType(mediaType))
    note('CARD-02', '', sentence('The card is JSON; its media type should say so, not {0}.', quoted(mediaType)));
  try {
    return { attempt: { ...facts, outcome: 'card' }, source, found: { card: readBounded(value, note, response.url.pathname), findings } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { attempt: { ...facts, outcome: 'not-a-card', problem: error, source: beginning }, source };
  } finally {
    for (const finding of findings) response.record.note(finding.rule, finding.pointer, findingSentence(finding));
  }
}

/**
 * Restores the addresses of interfaces that were masked, since a masked address cannot be used. An address with a credential in its host
 * name stays masked.
 */
function withAddresses(masked: unknown, { unmasked, record: { credentials } }: HttpResponse): unknown {
  const whole = unmasked === undefined || credentials.none ? undefined : exactJson(unmasked);
  if (!isObject(masked) || !isObject(whole)) return masked;
  const address = (shown: unknown, original: unknown): { readonly url: unknown } =>
    typeof original === 'string' && keepsHost(original, credentials) ? { url: original } : { url: shown };
  const addresses: Record<string, unknown> = 'url' in whole ? address(masked['url'], whole['url']) : {};
  for (const list of ['supportedInterfaces', 'additionalInterfaces']) {
    const [shown, original] = [masked[list], whole[list]];
    if (!Array.isArray(shown) || !Array.isArray(original)) continue;
    addresses[list] = shown.map((each: unknown, index) => {
      const other: unknown = original[index];
      return isObject(each) && isObject(other) && 'url' in other ? { ...each, ...address(each['url'], other['url']) } : each;
    });
  }
  return { ...masked, ...addresses };
}

/** True for an address whose host name contains no credential, which a name lookup would disclose. */
function keepsHost(address: string, credentials: SentCredentials): boolean {
  const text = hasScheme.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return /^(?:https?|grpcs?|wss?|dns):$/.test(protocol) && !credentials.isIn(host) && !credentials.isIn(`${username} ${password}`);
}

const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i;

/** Many servers end a connection without a word if the client shows no certificate that they take. */
const startWithCertificate = hint(
  sentence('Restart the agent, or correct its address. If it requires a client certificate, name one in "tls" of its settings.'),
  'Restart the agent, or correct its address. If it requires a client certificate, set one with --cert and --key, or --pfx.',
);

/**
 * Turns a failure into `unreachable`: for a card the exact kind rarely matters, since a GET can be repeated.
 * @param lateAfterMs set where the time for all requests was over
 */
function asUnreachable(error: unknown, url: URL, silenceMs: number, lateAfterMs?: number): unknown {
  if (!(error instanceof ConnectionProblem) || ['tls', 'cancelled', 'unreachable'].includes(error.code)) return error;
  const endedTls = error.code === 'connection-lost' && url.protocol === 'https:';
  // Only the card was requested: next steps about tasks do not apply.
  const what =
    error.code === 'timeout' && lateAfterMs !== undefined
      ? sentence('The agent card did not arrive completely within {0} seconds.', lateAfterMs / 1000)
      : error.code === 'timeout' && error.reached === 'unknown'
        ? sentence('The server accepted the request for the agent card but did not begin to answer within {0} seconds.', silenceMs / 1000)
        : error.code === 'connection-lost' && error.reached === 'unknown'
          ? sentence('The server closed the connection before it answered the request for the agent card.')
          : error.sentence;
  return new ConnectionProblem('unreachable', what, error.reached, {
    details: error.details,
    cause: error,
    mayWantCertificate: endedTls,
    nextStep:
      error.code === 'not-http' ? error.nextStep : endedTls ? startWithCertificate : sentence('Restart the agent, or correct its address.'),
  });
}
