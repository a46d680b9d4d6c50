import type { AgentCard } from '../protocol/agentCard.ts';
import { collect, type Finding } from '../protocol/finding.ts';
import { Problem } from '../protocol/problem.ts';
import { readAgentCard } from '../protocol/versions/index.ts';
import { cardPlaces, parseAddress, type CardPlace } from './agentAddress.ts';
import { cardProblem, type CardAttempt } from './cardProblem.ts';
import { configuredHeaders, noHeaders, withConfigured, type ConfiguredHeaders } from './configuredHeaders.ts';
import { ConnectionProblem } from './connectionProblem.ts';
import type { Http } from './http.ts';
import type { HttpResponse } from './httpResponse.ts';
import type { WireLog } from './wireLog.ts';

export interface ResolveOptions {
  readonly http: Http;
  /** Sent to the origin of the address alone, also when it redirects elsewhere. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly log?: WireLog;
}

export interface ResolvedAgentCard {
  readonly card: AgentCard;
  /** Where the card was in the end, redirects followed. */
  readonly cardUrl: string;
  /** The address as it was understood; its origin is the one the user trusts. */
  readonly agentUrl: string;
  /** The card's text as received. */
  readonly source: string;
  readonly findings: readonly Finding[];
  /** Every place that was tried, the one that had the card last. */
  readonly attempts: readonly CardAttempt[];
}

const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 30_000;
const maxRedirects = 5;

/**
 * Finds and reads the card of an agent (A2A 1.0 §8.2) at an address as a person types it.
 * @throws Problem `bad-url`, `no-card`, `html-instead-of-card`, `card-not-json`, `not-a-card`; UnauthorizedProblem `unauthorized`;
 * ConnectionProblem `unreachable`, `tls`, `cancelled`. Details list what was tried.
 */
export async function resolveAgentCard(address: string, options: ResolveOptions): Promise<ResolvedAgentCard> {
  const agentUrl = parseAddress(address);
  const headers = configuredHeaders(options.headers);
  const attempts: CardAttempt[] = [];
  for (const place of cardPlaces(agentUrl)) {
    const response = await get(place.url, agentUrl.origin, headers, options);
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
      throw asUnreachable(error);
    }
  }
  throw cardProblem(attempts);
}

/** GETs, following redirects by hand so that headers stay with the origin they are for. */
async function get(from: URL, trusted: string, headers: ConfiguredHeaders, { http, signal, log }: ResolveOptions): Promise<HttpResponse> {
  let url = from;
  for (let hop = 0; ; hop++) {
    const configured = url.origin === trusted ? headers : noHeaders;
    const response = await http.request({
      method: 'GET',
      url,
      headers: withConfigured([['Accept', 'application/json'], ['A2A-Version', '1.0']], configured),
      secret: configured.secret,
      headersTimeoutMs,
      bodyTimeoutMs,
      signal,
      log,
      subject: { operation: 'AgentCard', protocolBinding: 'HTTP', protocolVersion: '1.0' },
    }).catch((error: unknown) => {
      throw asUnreachable(error);
    });
    const target = response.redirect;
    if (target === undefined || hop === maxRedirects || !/^https?:$/.test(target.protocol)) return response;
    response.discard();
    response.record.end();
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
  // A stream has no end to wait for, and is no card.
  if (mediaType === 'text/event-stream') {
    response.discard();
    return { attempt: { ...facts, outcome: 'refused' }, source: '' };
  }
  const source = await response.text();
  if (!response.ok) return { attempt: { ...facts, outcome: 'refused' }, source };
  if (mediaType === 'text/html' || /^\s*<(!doctype|html)\b/i.test(source)) return { attempt: { ...facts, outcome: 'html' }, source };
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    return { attempt: { ...facts, outcome: 'not-json', problem: error as Error, source }, source };
  }
  const { note, findings } = collect();
  try {
    return { attempt: { ...facts, outcome: 'card' }, source, found: { card: readAgentCard(value, note, response.url.pathname), findings } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { attempt: { ...facts, outcome: 'not-a-card', problem: error, source }, source };
  } finally {
    for (const { rule, pointer, message } of findings) response.record.note(rule, pointer, message);
  }
}

/** A GET may be repeated at will, so all that matters is that no card can be had. */
function asUnreachable(error: unknown): unknown {
  if (!(error instanceof ConnectionProblem) || ['tls', 'cancelled', 'unreachable'].includes(error.code)) return error;
  return new ConnectionProblem('unreachable', error.sentence, error.reached, error);
}
