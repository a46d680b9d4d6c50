import type { JsonWebKey } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export interface OidcServer {
  readonly issuer: string;
  readonly provider: Provider;
  /** Requests of the token endpoint, by grant type. */
  readonly grants: string[];
  close(): Promise<void>;
}

export const confidential = { client_id: 'program', client_secret: 'the-secret-of-the-program' } as const;
export const publicClient = 'native';

/** A real OpenID Connect server on loopback (oidc-provider), with a client for programs and one for people. */
export async function openOidcProvider({
  resource,
  tokenSeconds = 3600,
  rotates = true,
  host = '127.0.0.1',
  registers = true,
  configuration = {},
}: {
  /** The agent that tokens are for; its tokens are JWTs then. */
  readonly resource?: string;
  readonly tokenSeconds?: number;
  readonly rotates?: boolean;
  /** VS Code in a browser leads 127.0.0.1 through its own server: 127.0.0.2 it does not. */
  readonly host?: string;
  /** Whether clients can register themselves. */
  readonly registers?: boolean;
  readonly configuration?: Configuration;
} = {}): Promise<OidcServer> {
  const server: Server = createServer();
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...confidential,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope: 'agents:use',
      },
      {
        client_id: publicClient,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ],
    scopes: ['openid', 'offline_access', 'agents:use'],
    claims: { openid: ['sub'], profile: ['preferred_username'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id }) }),
    pkce: { required: () => true },
    rotateRefreshToken: rotates,
    ttl: {
      AccessToken: tokenSeconds,
      ClientCredentials: tokenSeconds,
      IdToken: 3600,
      RefreshToken: 86_400,
      Session: 3600,
      Grant: 86_400,
      Interaction: 600,
      DeviceCode: 600,
    },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: true },
      registration: { enabled: registers },
      userinfo: { enabled: true },
      ...(resource !== undefined && {
        resourceIndicators: {
          enabled: true,
          defaultResource: () => resource,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: 'agents:use',
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: tokenSeconds,
          }),
        },
      }),
    },
    jwks: { keys: [await signingKey()] },
    cookies: { keys: ['of a test'] },
    ...configuration,
  });
  const grants: string[] = [];
  provider.use(async (context, next) => {
    await next();
    const { oidc } = context as { oidc?: { route?: string; params?: { grant_type?: string } } };
    if (oidc?.route === 'token') grants.push(String(oidc.params?.grant_type));
  });
  const handler = provider.callback();
  server.on('request', (request, response) => void handler(request, response));
  return {
    issuer,
    provider,
    grants,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function signingKey(): Promise<JsonWebKey> {
  const { privateKey } = await crypto.subtle.generateKey(
    { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  );
  const { key_ops: _, ...key } = await crypto.subtle.exportKey('jwk', privateKey);
  return { ...key, use: 'sig', alg: 'RS256' };
}

/**
 * A person in a browser: follows redirects with cookies, fills in the forms of `devInteractions` and allows what is asked. Resolves once the
 * browser is sent to `until`.
 */
export async function signInInBrowser(
  address: string,
  { as = 'alice', until, deny = false }: { readonly as?: string; readonly until?: string; readonly deny?: boolean } = {},
): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  let form: { readonly action: string; readonly body: URLSearchParams } | undefined;
  for (let step = 0; step < 30; step++) {
    const response: Response = await fetch(form?.action ?? url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: form.body.toString() }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const at = pair.indexOf('=');
      if (pair.slice(at + 1) === '') cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location !== null) {
      url = new URL(location, url);
      form = undefined;
      if (until !== undefined && url.href.startsWith(until)) {
        await fetch(url);
        return url.href;
      }
      continue;
    }
    const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1];
    if (response.status !== 200 || action === undefined) return text;
    const abort = /href="([^"]*\/abort)"/.exec(text)?.[1];
    if (deny && abort !== undefined && !text.includes('name="login"')) {
      url = new URL(abort, url);
      form = undefined;
      continue;
    }
    const body = new URLSearchParams();
    for (const [input] of text.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      if (name !== undefined) body.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? '');
    }
    if (body.has('login')) body.set('login', as);
    if (body.has('password')) body.set('password', 'x');
    form = { action: new URL(action, url).href, body };
  }
  throw new Error(`the browser came to no end at ${url.href}`);
}
