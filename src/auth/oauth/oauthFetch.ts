import type { CustomFetchOptions } from 'oauth4webapi';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Http } from '../../client/http/http.ts';

/** What requests of a sign-in need. */
export interface OAuthContext {
  readonly http: Pick<Http, 'request'>;
  readonly signal?: AbortSignal | undefined;
  /** Called before each request. Rejects with a `Problem` where the person does not approve the origin. */
  readonly requireOrigin: (url: URL) => Promise<void>;
}

/** Longest wait for an answer of an authorization server, in milliseconds. */
const answerTimeoutMs = 20_000;
/** Longest document of a server that is read, in characters. */
const maxCharacters = 256 * 1024;

/** @throws Problem `sign-in-http` for an address without TLS that is not on this machine */
function requireTls(url: URL): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw new Problem(
    'sign-in-http',
    sentence('Nothing is sent to {0}: it has no TLS, so that anybody could read the credentials.', url.origin),
    {
      nextStep: sentence('Ask whoever runs the agent for an address that begins with https://.'),
    },
  );
}

/**
 * `fetch` for oauth4webapi over the connections of the product: proxies, certificates and limits are those of requests to agents. Redirects
 * are not followed, and nothing is recorded.
 */
export function oauthFetch({ http, signal, requireOrigin }: OAuthContext) {
  return async (address: string, { method, headers, body }: CustomFetchOptions<string, unknown>): Promise<Response> => {
    const url = new URL(address);
    requireTls(url);
    await requireOrigin(url);
    const response = await http.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: Object.entries(headers),
      ...(body !== undefined && body !== null && { body: String(body as URLSearchParams | string) }),
      headersTimeoutMs: answerTimeoutMs,
      bodyTimeoutMs: answerTimeoutMs,
      timeoutMs: answerTimeoutMs,
      ...(signal !== undefined && { signal }),
      subject: { operation: 'SignIn', protocolBinding: 'HTTP', protocolVersion: '1.0' },
    });
    if (response.status >= 300 && response.status < 400) {
      response.discard();
      throw new Problem(
        'sign-in-redirect',
        sentence('{0} leads to another address, and sign-in follows no redirects.', url.origin + url.pathname),
        {
          nextStep: sentence('Ask whoever runs the agent for the right addresses of its authorization server.'),
        },
      );
    }
    const text = await unmasked(response);
    if (text.length > maxCharacters) throw tooLong(url);
    const empty = response.status === 204 || response.status === 205;
    return new Response(empty ? null : text, {
      status: response.status,
      headers: response.headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

/** The answer as it was sent: tokens in it would be masked otherwise where they repeat what the request had. */
async function unmasked(response: Awaited<ReturnType<Http['request']>>): Promise<string> {
  const text = await response.text();
  response.record.end();
  return response.unmasked ?? text;
}

const tooLong = (url: URL): Problem =>
  new Problem('sign-in-answer', sentence('The answer of {0} is longer than {1} KiB.', url.origin, maxCharacters / 1024), {
    nextStep: sentence('Ask whoever runs the agent for the right addresses of its authorization server.'),
  });
