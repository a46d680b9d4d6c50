import type { Exchange } from '../../protocol/exchange.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem } from '../../protocol/problem.ts';
import { oauthFetch, type OAuthContext } from '../oauth/oauthFetch.ts';
import type { SeenExchange } from './signInReport.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Result of fetching a document. */
export interface Look {
  readonly url: string;
  readonly exchange: SeenExchange;
  /** Undefined where there was no answer; then there is a problem. */
  readonly status: number | undefined;
  /** The answer, where it is a JSON object. */
  readonly json: Json | undefined;
  readonly problem: Problem | undefined;
  /** How far the clock of the server is ahead of this machine's, in milliseconds, by `Date` (to a second). */
  readonly ahead: number | undefined;
}

/** Longest body that a report has, in characters. */
const maxBody = 16_384;
/** Members of answers, requests and addresses that are credentials, or that lead to some. */
const secretNames = [
  'access_token',
  'refresh_token',
  'id_token',
  'token',
  'client_secret',
  'device_code',
  'user_code',
  'verification_uri_complete',
  'code',
  'code_verifier',
  'state',
  'nonce',
  'assertion',
  'password',
  'registration_access_token',
];
const secret = new RegExp(`("(?:${secretNames.join('|')})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'g');
const mask = '••••••';
const shownHeaders = ['content-type', 'www-authenticate', 'location', 'date', 'cache-control'];

/** The text of a document without the credentials in it. */
const shownBody = (text: string): string => text.replaceAll(secret, `$1${mask}`).slice(0, maxBody);

/** Members without credentials in answers of token endpoints (RFC 6749 §5, RFC 7591 §3.2, RFC 8628 §3.2). */
const plainNames = [
  'error',
  'error_description',
  'error_uri',
  'token_type',
  'expires_in',
  'scope',
  'interval',
  'verification_uri',
  'client_id',
  'client_id_issued_at',
  'client_secret_expires_at',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'redirect_uris',
  'client_name',
];

/**
 * The answer to a request that gets credentials: only the members that are known to be none are shown, since a server may write a token under
 * any name, and in any form.
 */
export function shownAnswer(text: string): string {
  const json = jsonIn(text);
  if (json === undefined) return text === '' ? '' : `${mask} (${text.length} characters that are no JSON object)`;
  const shown = Object.entries(json).map(([name, value]) => [name, plainNames.includes(name) ? value : mask]);
  return JSON.stringify(Object.fromEntries(shown)).slice(0, maxBody);
}

const shownHeader = ([name]: readonly [string, string]): boolean => shownHeaders.includes(name.toLowerCase());

/** An address without the credentials in its parameters. */
export function maskedAddress(address: string): string {
  const url = new URL(address);
  const parameters = [...url.searchParams].map(([name, value]) => `${name}=${secretNames.includes(name) ? mask : value}`);
  return `${url.origin}${url.pathname}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
}

/** A form, a member a line, or JSON without the credentials in it. */
function shownForm(body: string): string {
  if (body.startsWith('{')) return shownBody(body);
  return [...new URLSearchParams(body)]
    .map(([name, value]) => `${name}=${secretNames.includes(name) ? mask : value}`)
    .join('\n')
    .slice(0, maxBody);
}

/** A recorded exchange as reports have it. */
export const seenExchange = ({ request, response }: Exchange, shown = shownBody): SeenExchange => ({
  method: request.method,
  url: request.url,
  requestHeaders: request.headers,
  ...(request.body !== '' && { requestBody: shownForm(request.body) }),
  ...(response?.status !== undefined && { status: response.status }),
  headers: (response?.headers ?? []).filter(shownHeader),
  body: shown(response?.body ?? ''),
});

/** Fetches a document, without credentials. Rejects with errors that are not a `Problem` only. */
export async function look(context: OAuthContext, url: URL, now: () => number): Promise<Look> {
  const headers = { accept: 'application/json' };
  const seen = { method: 'GET', url: url.href, requestHeaders: Object.entries(headers) };
  try {
    const response = await oauthFetch(context)(url.href, {
      method: 'GET',
      headers,
      redirect: 'manual',
      body: undefined,
    });
    const text = await response.text();
    return {
      url: url.href,
      status: response.status,
      json: jsonIn(text),
      problem: undefined,
      ahead: aheadOf(response.headers.get('date'), now()),
      exchange: { ...seen, status: response.status, headers: [...response.headers].filter(shownHeader), body: shownBody(text) },
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      url: url.href,
      status: undefined,
      json: undefined,
      problem: error,
      ahead: undefined,
      exchange: { ...seen, headers: [], body: '' },
    };
  }
}

/** The JSON object in a text; undefined for any other text. */
export function jsonIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function aheadOf(date: string | null, now: number): number | undefined {
  const at = Date.parse(date ?? '');
  return Number.isNaN(at) ? undefined : at - now;
}
