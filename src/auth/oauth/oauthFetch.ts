import type { CustomFetchOptions } from 'oauth4webapi';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Http } from '../../client/http/http.ts';

/** Connections and limits of the requests of a sign-in. */
export interface OAuthContext {
  readonly http: Pick<Http, 'request'>;
  readonly signal?: AbortSignal | undefined;
  /** Called before each request. Rejects with a `Problem` where the person does not approve the origin. */
  readonly requireOrigin: (url: URL) => Promise<void>;
  /** Called with secrets that are used and not kept. */
  readonly onSecret?: (secret: string) => void;
}

/** Longest wait for an answer of an authorization server, in milliseconds. */
const answerTimeoutMs = 20_000;
/** Longest document of a server that is read, in bytes. */
const maxBytes = 256 * 1024;

/**
 * Credentials go to such an address, or the person's browser does, which types them there.
 * @throws Problem `sign-in-http` for an address without TLS that is not on this machine, `sign-in-address` for one with a user name, which
 * looks like another host
 */
export function requireTls(url: URL): void {
  if (url.username !== '' || url.password !== '')
    throw new Problem(
      'sign-in-address',
      sentence("Nothing is sent to {0}: the address contains a user name, so it looks like another server's.", url.origin),
      { nextStep: sentence("Ask the agent's operator for the right addresses of its authorization server.") },
    );
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return;
  // Other schemes have no origin.
  const shown = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  throw new Problem('sign-in-http', sentence('Nothing is sent to {0}: it has no TLS, so anyone could read the credentials.', shown), {
    nextStep: sentence("Ask the agent's operator for an address that begins with https://."),
  });
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
    const sent = [...credentialsIn(body), ...secretInBasic(headers)];
    const response = await http.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: Object.entries(headers),
      secret: Object.assign(new Set<string>(), { others: () => sent }),
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
        sentence('{0} redirects to another address, and sign-in does not follow redirects.', url.origin + url.pathname),
        {
          nextStep: sentence("Ask the agent's operator for the right addresses of its authorization server."),
        },
      );
    }
    const text = await textOf(response, url);
    const empty = response.status === 204 || response.status === 205;
    return new Response(empty ? null : text, {
      status: response.status,
      headers: response.headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

/** Parameters of requests that are credentials. */
const secretParameters = [
  'client_secret',
  'refresh_token',
  'code',
  'code_verifier',
  'device_code',
  'token',
  'assertion',
  'client_assertion',
];

const credentialsIn = (body: unknown): readonly string[] => {
  const parameters = body instanceof URLSearchParams ? body : new URLSearchParams(typeof body === 'string' ? body : '');
  return secretParameters.flatMap(name => parameters.getAll(name));
};

/** A client's secret is encoded as in forms before it is put into the header (RFC 6749 §2.3.1). */
function secretInBasic(headers: Readonly<Record<string, string>>): readonly string[] {
  const [, both = ''] = /^basic (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
  const [id = '', secret = ''] = Buffer.from(both, 'base64').toString('utf8').split(':', 2);
  const plain = new URLSearchParams(`s=${secret}`).get('s') ?? '';
  return plain === '' ? [] : [plain, `${id}:${plain}`];
}

async function textOf(response: Awaited<ReturnType<Http['request']>>, url: URL): Promise<string> {
  try {
    const text = await response.text(maxBytes);
    response.record.end();
    // As it was sent: tokens in it would be masked otherwise where they repeat what the request had. What is refused has no token, and its
    // words are shown.
    return response.status >= 400 ? text : (response.unmasked ?? text);
  } catch (error) {
    throw error instanceof Problem && error.code === 'too-large' ? tooLong(url) : error;
  }
}

const tooLong = (url: URL): Problem =>
  new Problem('sign-in-answer', sentence('The answer of {0} is longer than {1} KiB.', url.origin, maxBytes / 1024), {
    nextStep: sentence("Ask the agent's operator for the right addresses of its authorization server."),
  });
