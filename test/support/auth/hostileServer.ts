import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenThings } from '../client/openThings.ts';

/** What a request for tokens has that nobody else may see. */
interface TokenSecrets {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** @param nonce of the request for authorization */
  readonly idToken?: (nonce: string | undefined) => string;
  readonly deviceCode: string;
}

/** What an authorization server answers; everything that a test leaves out is as it should be. */
export interface ServedSignIn {
  readonly secrets: TokenSecrets;
  /** Answers instead of the server; true where it did. */
  readonly instead?: (
    what: 'metadata' | 'token' | 'refresh' | 'device' | 'authorize',
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
  ) => boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface HostileServer {
  readonly url: string;
  /** Requests, headers and all. */
  readonly got: string[];
}

const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/**
 * An authorization server that does what a test wants, one below each path `/case-N`: metadata, authorization (which sends the browser back at
 * once), device codes and tokens that last for five minutes.
 */
export async function hostileServer(open: OpenThings, serve: (index: number) => ServedSignIn | undefined): Promise<HostileServer> {
  const got: string[] = [];
  let url = '';
  const nonces: (string | undefined)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    got.push(`${request.url} ${request.rawHeaders.join('\n')} ${body}`);
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const index = Number(/\/case-(\d+)/.exec(pathname)?.[1] ?? -1);
    const served = serve(index);
    if (served === undefined) return json(response, { error: 'not_found' }, 404);
    const { secrets, instead, metadata } = served;
    const at = (path: string): string => `${url}/case-${index}${path}`;
    const grant = new URLSearchParams(body).get('grant_type');
    const what = pathname.includes('.well-known')
      ? 'metadata'
      : pathname.endsWith('/device')
        ? 'device'
        : pathname.endsWith('/authorize')
          ? 'authorize'
          : grant === 'refresh_token'
            ? 'refresh'
            : 'token';
    if (instead?.(what, request, response, body) === true) return;
    switch (what) {
      case 'metadata':
        return json(response, {
          issuer: `${url}/case-${index}`,
          authorization_endpoint: at('/authorize'),
          token_endpoint: at('/token'),
          device_authorization_endpoint: at('/device'),
          code_challenge_methods_supported: ['S256'],
          ...metadata,
        });
      case 'authorize':
        nonces[index] = searchParams.get('nonce') ?? undefined;
        response
          .writeHead(302, { Location: `${searchParams.get('redirect_uri')}?code=c-${index}&state=${searchParams.get('state')}` })
          .end();
        return;
      case 'device':
        return json(response, {
          device_code: secrets.deviceCode,
          user_code: 'AB-12',
          verification_uri: at('/enter'),
          expires_in: 60,
          interval: 0.001,
        });
      case 'token':
      case 'refresh':
        return json(response, {
          access_token: what === 'refresh' ? `${secrets.accessToken}-2` : secrets.accessToken,
          token_type: 'Bearer',
          expires_in: 300,
          ...(grant !== 'client_credentials' && { refresh_token: secrets.refreshToken }),
          ...(what === 'token' && secrets.idToken !== undefined && { id_token: secrets.idToken(nonces[index]) }),
        });
    }
  };
  url = (await open.web((request, response) => void answer(request, response))).slice(0, -1);
  return { url, got };
}
