import * as assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { unsendableToken } from '../../../src/auth/oauth/tokenType.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import type { CauseId } from '../../../src/auth/doctor/causes.ts';
import { explainSignIn } from '../../../src/auth/doctor/explainSignIn.ts';
import { fetchedFrom } from '../../../src/auth/doctor/fetchedFrom.ts';
import type { ExplainedSignIn } from '../../../src/auth/doctor/explainedSignIn.ts';
import type { SignInReport } from '../../../src/auth/doctor/signInReport.ts';
import type { OAuthTokens } from '../../../src/auth/oauth/oauthTokens.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';

type Answer = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

/** A sound world, of which each row breaks one thing. */
interface World {
  /** By path; `{at}` in texts is the address of the server. */
  readonly paths: Readonly<Record<string, Answer | undefined>>;
  readonly card: object;
  readonly challenge: string | undefined;
  /** Of the answer without credentials. */
  readonly status: number;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What the agent answers to the token; undefined where it takes it. */
  readonly refusal: { readonly status: number; readonly challenge: string } | undefined;
  readonly token: 'jwt' | 'opaque' | 'none' | Problem;
  readonly refresh: 'none' | 'fine' | Problem;
  /** What comes in the place of a refusal. */
  readonly odd?: Problem;
  /** The HTTP status that it came with. */
  readonly answered?: number;
  /** Whether a person without a token is signed in all the same; so it is where the card takes a key. */
  readonly carried?: boolean;
  /** Origins beside the agent's that documents may be fetched from. */
  readonly approved: readonly string[];
}

const now = Date.parse('2026-05-01T12:00:00Z');
const seconds = now / 1000;
const resourcePath = '/.well-known/oauth-protected-resource/agent';
const serverPath = '/.well-known/oauth-authorization-server';
const resource = { resource: '{at}/agent', authorization_servers: ['{at}'], scopes_supported: ['agents:use'] };
const server = {
  issuer: '{at}',
  authorization_endpoint: '{at}/authorize',
  token_endpoint: '{at}/token',
  registration_endpoint: '{at}/register',
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  scopes_supported: ['agents:use'],
};
const oauthCard = (flows: object, more: object = {}): object => ({
  securitySchemes: { login: { oauth2SecurityScheme: { flows, ...more } } },
  securityRequirements: [{ schemes: { login: { list: ['agents:use'] } } }],
});
const flow = { authorizationUrl: '{at}/authorize', tokenUrl: '{at}/token', scopes: {} };

const key = { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } };
const keyCard = { securitySchemes: { key }, securityRequirements: [{ schemes: { key: { list: [] } } }] };
const eitherCard = {
  securitySchemes: { key, login: { oauth2SecurityScheme: { flows: { authorizationCode: flow } } } },
  securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { login: { list: ['agents:use'] } } }],
};

const sound: World = {
  paths: { [resourcePath]: { body: resource }, [serverPath]: { body: server } },
  card: oauthCard({ authorizationCode: flow }),
  challenge: `Bearer resource_metadata="{at}${resourcePath}"`,
  status: 401,
  claims: { iss: '{at}', aud: '{at}/agent', exp: seconds + 600, iat: seconds - 10, scope: 'agents:use' },
  refusal: undefined,
  token: 'jwt',
  refresh: 'none',
  approved: [],
};
const withServer = (more: object): Partial<World> => ({ paths: { ...sound.paths, [serverPath]: { body: { ...server, ...more } } } });
const withResource = (answer: Answer): Partial<World> => ({ paths: { ...sound.paths, [resourcePath]: answer } });
const withClaims = (more: object): Partial<World> => ({
  claims: { ...sound.claims, ...more },
  refusal: { status: 401, challenge: 'Bearer error="invalid_token"' },
});
const refusing = (code: string): Partial<World> => ({ token: new Problem(`oauth-${code}`, sentence('Refused.')) });
const without = <T extends object>(value: T, name: keyof T): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

const rows: readonly (readonly [what: string, broken: Partial<World>, cause: CauseId])[] = [
  ['the card names no scheme', { card: {}, challenge: 'Bearer', paths: {} }, 'noScheme'],
  [
    'a requirement names a scheme that is not defined',
    { card: { securitySchemes: {}, securityRequirements: [{ schemes: { login: { list: [] } } }] }, challenge: 'Bearer' },
    'unknownScheme',
  ],
  [
    'the card offers the implicit flow alone',
    { card: oauthCard({ implicit: { authorizationUrl: '{at}/authorize', scopes: {} } }), token: 'opaque' },
    'unsupportedScheme',
  ],
  ['401 without WWW-Authenticate', { challenge: undefined, token: 'opaque' }, 'noChallenge'],
  ['403 instead of 401', { status: 403, challenge: undefined, token: 'opaque' }, 'forbiddenToAll'],
  ['metadata of the agent that are not there', withResource({ status: 404 }), 'resourceMissing'],
  ['metadata of the agent that fail', withResource({ status: 500 }), 'resourceMissing'],
  [
    'metadata of the agent that are a page',
    withResource({ body: '<html>', headers: { 'content-type': 'text/html' } }),
    'resourceUnreadable',
  ],
  ['metadata of the agent that are a list', withResource({ body: [resource] }), 'resourceUnreadable'],
  ['metadata of another origin', withResource({ body: { ...resource, resource: 'https://other.example/agent' } }), 'resourceMismatch'],
  ['metadata of another path', withResource({ body: { ...resource, resource: '{at}/other' } }), 'resourceMismatch'],
  ['metadata without a resource', withResource({ body: without(resource, 'resource') }), 'resourceMismatch'],
  ['metadata without an authorization server', withResource({ body: without(resource, 'authorization_servers') }), 'resourceWithoutServer'],
  ['metadata with an empty list of servers', withResource({ body: { ...resource, authorization_servers: [] } }), 'resourceWithoutServer'],
  ['metadata that lead elsewhere', withResource({ status: 302, headers: { location: '/elsewhere' } }), 'redirected'],
  ['metadata without TLS on another machine', { challenge: 'Bearer resource_metadata="http://agent.example/x"' }, 'plainHttp'],
  ['an authorization server without metadata', { paths: { [resourcePath]: { body: resource } } }, 'serverMissing'],
  ['metadata of the server that are a page', { paths: { ...sound.paths, [serverPath]: { body: 'no' } } }, 'serverUnreadable'],
  [
    'metadata of the server that lead elsewhere',
    { paths: { ...sound.paths, [serverPath]: { status: 301, headers: { location: '/x' } } } },
    'redirected',
  ],
  ['an issuer with a slash too many', withServer({ issuer: '{at}/' }), 'issuerMismatch'],
  ['another issuer', withServer({ issuer: 'https://login.example' }), 'issuerMismatch'],
  ['no issuer', withServer({ issuer: undefined }), 'issuerMismatch'],
  [
    'an issuer that cannot be reached',
    { ...withResource({ body: { ...resource, authorization_servers: ['http://127.0.0.1:9'] } }), approved: ['http://127.0.0.1:9'] },
    'unreachable',
  ],
  [
    'an issuer elsewhere that is not approved',
    withResource({ body: { ...resource, authorization_servers: ['https://login.example'] } }),
    'notFetched',
  ],
  ['metadata elsewhere that are not approved', { challenge: 'Bearer resource_metadata="https://intranet.example/x"' }, 'notFetched'],
  ['no token endpoint', withServer({ token_endpoint: undefined }), 'noEndpoint'],
  ['no authorization endpoint', withServer({ authorization_endpoint: undefined }), 'noEndpoint'],
  [
    'a device flow without its endpoint',
    {
      ...withServer({ grant_types_supported: undefined }),
      card: oauthCard({ deviceCode: { deviceAuthorizationUrl: '{at}/device', tokenUrl: '{at}/token', scopes: {} } }),
    },
    'noEndpoint',
  ],
  ['a token endpoint that is no address', withServer({ token_endpoint: '/token' }), 'badEndpoint'],
  ['a token endpoint without TLS', withServer({ token_endpoint: 'http://login.example/token' }), 'plainHttp'],
  ['PKCE with plain alone', withServer({ code_challenge_methods_supported: ['plain'] }), 'noPkce'],
  ['a grant type that is not offered', withServer({ grant_types_supported: ['client_credentials'] }), 'noGrant'],
  ['clients by private_key_jwt alone', withServer({ token_endpoint_auth_methods_supported: ['private_key_jwt'] }), 'clientAuthentication'],
  ['a scope that the server does not know', withServer({ scopes_supported: ['openid'] }), 'unknownScope'],
  ['a server that registers no clients', { ...withServer({ registration_endpoint: undefined }), token: 'none' }, 'noRegistration'],
  ['a wrong client secret', refusing('invalid_client'), 'invalidClient'],
  ['a client that may not', refusing('unauthorized_client'), 'unauthorizedClient'],
  ['a scope that is refused', refusing('invalid_scope'), 'invalidScope'],
  ['a resource that is not known', refusing('invalid_target'), 'invalidTarget'],
  ['a grant type that is refused', refusing('unsupported_grant_type'), 'unsupportedGrant'],
  ['a redirect address that is not registered', refusing('invalid_request'), 'redirectUri'],
  ['an error of the server', refusing('server_error'), 'refused'],
  ['a sign-in that is denied', refusing('access_denied'), 'denied'],
  ['an authorization server that is not approved', { token: new Problem('sign-in-origin', sentence('Not approved.')) }, 'notApproved'],
  ['a registration that is refused', { token: new Problem('sign-in-registration', sentence('Refused.')) }, 'registrationRefused'],
  ['an ID token from another clock', { token: new Problem('sign-in-clock', sentence('Clock.')) }, 'tokenTimes'],
  ['a token that is bound to a key', { token: unsendableToken('dpop') }, 'tokenType'],
  ['an ID token for somebody else', { token: new Problem('sign-in-token', sentence('Other.')) }, 'idToken'],
  ['nobody says which server issues tokens', { card: oauthCard({}), challenge: 'Bearer', paths: {}, token: 'none' }, 'noServer'],
  ['a token endpoint that answers with a page', { token: new Problem('sign-in-answer', sentence('No JSON.')) }, 'notOAuth'],
  ['an expired token', withClaims({ exp: seconds - 5 }), 'expired'],
  ['a token of the future', withClaims({ iat: seconds + 3600 }), 'clock'],
  [
    'a server whose clock is an hour ahead',
    { paths: { ...sound.paths, [serverPath]: { body: server, headers: { date: new Date(now + 3_600_000).toUTCString() } } } },
    'clock',
  ],
  ['a token that is valid later', withClaims({ nbf: seconds + 3600 }), 'notYetValid'],
  ['a token for another agent', withClaims({ aud: 'https://other.example' }), 'audience'],
  ['a token for several others', withClaims({ aud: ['https://a.example', 'https://b.example/x'] }), 'audience'],
  ['a token of another issuer', withClaims({ iss: 'https://login.example' }), 'tokenIssuer'],
  ['a token without the scope', withClaims({ scope: 'openid' }), 'missingScope'],
  [
    'an agent that wants another scope',
    { refusal: { status: 403, challenge: 'Bearer error="insufficient_scope", scope="agents:admin"' } },
    'insufficientScope',
  ],
  ['an account that may not', { refusal: { status: 403, challenge: '' } }, 'forbidden'],
  [
    'an opaque token that is refused',
    { token: 'opaque', refusal: { status: 401, challenge: 'Bearer error="invalid_token"' } },
    'tokenRefused',
  ],
  ['an agent behind a page for signing in', { odd: new Problem('not-json', sentence('A web page came.')) }, 'otherAnswer'],
  ['an agent that is gone by then', { odd: new ConnectionProblem('unreachable', sentence('Nobody.'), 'no') }, 'unreachable'],
  [
    'a key that the agent does not know',
    { card: keyCard, token: 'none', refusal: { status: 401, challenge: 'ApiKey' } },
    'credentialRefused',
  ],
  ['a key that may not', { card: keyCard, token: 'none', refusal: { status: 403, challenge: '' } }, 'credentialRefused'],
  [
    'a key that the agent does not know, where it takes tokens as well',
    { card: eitherCard, token: 'none', refusal: { status: 401, challenge: 'ApiKey' } },
    'credentialRefused',
  ],
  ['nobody who is signed in with a key', { card: keyCard, token: 'none', carried: false }, 'noToken'],
  ['a refresh token that is used', { refresh: new Problem('oauth-invalid_grant', sentence('Used.')) }, 'refreshRefused'],
];

suite('the doctor of sign-ins', () => {
  let broken: World;
  let web: Server;
  let at: string;
  const http = new Http({ loadObserver });
  const filled = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll('{at}', at)) as T));

  suiteSetup(async () => {
    web = createServer((request: IncomingMessage, response: ServerResponse) => {
      const { status = 200, headers = {}, body } = broken.paths[request.url ?? ''] ?? { status: 404 };
      response.writeHead(status, { 'content-type': 'application/json', date: new Date(now).toUTCString(), ...headers });
      response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(filled(body)));
    });
    web.listen(0, '127.0.0.1');
    await new Promise<unknown>(resolve => web.once('listening', resolve));
    at = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  suiteTeardown(() => {
    web.close();
    web.closeAllConnections();
  });

  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokens = (): OAuthTokens => ({
    accessToken:
      broken.token === 'jwt'
        ? `${part({ alg: 'RS256', typ: 'at+jwt' })}.${part(filled(broken.claims))}.c4narySignature`
        : 'c4nary-opaque-token',
    tokenType: 'Bearer',
    refreshToken: 'c4nary-refresh-token',
    scopes: ['agents:use'],
    tokenEndpoint: `${at}/token`,
    client: { id: 'me', authentication: 'none', origin: 'given' },
  });

  async function explained(change: Partial<World>, ask?: (origin: string) => Promise<boolean>): Promise<SignInReport> {
    broken = { ...sound, ...change };
    const card = filled(broken.card) as AgentCard;
    const refuse = (status: number, challenge: string | undefined): UnauthorizedProblem => new UnauthorizedProblem(status, challenge);
    const given: ExplainedSignIn = {
      agentUrl: `${at}/agent`,
      card,
      plan: signInPlan(card),
      context: { http, requireOrigin: fetchedFrom(broken.approved, `${at}/agent`, ask) },
      ask: signedIn => {
        const { refusal, status, challenge, odd, carried = broken.card === keyCard || broken.card === eitherCard } = broken;
        const what = { names: 'key', what: sentence('the key'), nextStep: sentence('Replace it.') };
        const refused =
          refusal &&
          new UnauthorizedProblem(refusal.status, refusal.challenge || undefined, undefined, {}, carried ? { sent: what } : undefined);
        const problem = !signedIn || (broken.token === 'none' && !carried) ? refuse(status, filled(challenge)) : (odd ?? refused);
        const { answered } = broken;
        const exchanges =
          answered === undefined ? [] : [{ method: 'POST', url: at, requestHeaders: [], status: answered, headers: [], body: '' }];
        return Promise.resolve({ problem, exchanges, ...(signedIn && { carried: carried || broken.token !== 'none' }) });
      },
      tokens: () =>
        broken.token instanceof Problem ? Promise.reject(broken.token) : Promise.resolve(broken.token === 'none' ? undefined : tokens()),
      ...(broken.refresh !== 'none' && {
        refresh: () => (broken.refresh instanceof Problem ? Promise.reject(broken.refresh) : Promise.resolve()),
      }),
      now: () => now,
    };
    return explainSignIn(given);
  }

  for (const [what, problem, status] of [
    ['a message instead of a task', new Problem('unreadable-answer', sentence('No task.')), 200],
    ['nothing', new Problem('empty-answer', sentence('Nothing.')), 200],
    ['that it knows no such address', new Problem('http-error', sentence('Not found.')), 404],
    ['that it has no such method', new Problem('http-error', sentence('Not implemented.')), 501],
  ] as const)
    test(`an agent without tasks that answers ${what} takes the credentials`, async () => {
      for (const change of [{ odd: problem }, { odd: problem, card: keyCard, token: 'none' as const }]) {
        const { causes, steps } = await explained({ ...change, answered: status, refresh: 'fine' });
        assert.deepEqual(causes, []);
        const use = steps.find(({ id }) => id === 'use');
        assert.deepEqual([use?.verdict, use?.facts.map(english)], ['ok', [`A task that does not exist was requested. ${problem.message}`]]);
        assert.equal(steps.find(({ id }) => id === 'refresh')?.verdict, 'card' in change ? 'skipped' : 'ok');
      }
    });

  test('a server that fails before the agent does not take the credentials', async () => {
    const { causes, steps } = await explained({ odd: new Problem('http-error', sentence('Bad gateway.')), answered: 502 });
    assert.equal(steps.find(({ id }) => id === 'use')?.verdict, 'failed');
    assert.equal(causes[0]?.id, 'otherAnswer');
  });

  test('a sound world has no cause', async () => {
    const { causes, steps } = await explained({ refresh: 'fine' });
    assert.deepEqual(causes, []);
    assert.deepEqual(
      steps.map(({ id, verdict }) => `${id} ${verdict}`),
      ['card ok', 'request ok', 'resource ok', 'server ok', 'client ok', 'token ok', 'claims ok', 'use ok', 'refresh ok'],
    );
  });

  suite('whose documents are elsewhere', () => {
    let elsewhere: Server;
    let heard: { readonly url: string | undefined; readonly method: string | undefined; readonly headers: IncomingHttpHeaders }[];
    let origin: string;
    setup(async () => {
      heard = [];
      elsewhere = createServer(({ url, method, headers }, response) => {
        heard.push({ url, method, headers });
        response.writeHead(200, { 'content-type': 'application/json', date: new Date(now).toUTCString() });
        response.end(JSON.stringify({ ...filled(server), issuer: origin }));
      });
      elsewhere.listen(0, '127.0.0.1');
      await new Promise<unknown>(resolve => elsewhere.once('listening', resolve));
      origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    });
    teardown(() => {
      elsewhere.close();
      elsewhere.closeAllConnections();
    });
    const there = (): Partial<World> => ({
      ...withResource({ body: { ...resource, authorization_servers: [origin] } }),
      claims: { ...sound.claims, iss: origin },
    });

    test('is asked about before the first request there, once, and not at all for what is approved', async () => {
      const asked: [string, number][] = [];
      const ask = (each: string): Promise<boolean> => {
        asked.push([each, heard.length]);
        return Promise.resolve(true);
      };
      const { causes, origins } = await explained(there(), ask);
      assert.deepEqual([asked, causes], [[[origin, 0]], []]);
      assert.deepEqual(origins, [at, origin]);
      const approved = await explained({ ...there(), approved: [origin] }, ask);
      assert.deepEqual([asked.length, approved.causes], [1, []]);
      // A plain GET without anything of the person's.
      assert.ok(heard.length >= 2);
      for (const { method, headers } of heard)
        assert.deepEqual([method, headers.authorization, headers.cookie], ['GET', undefined, undefined]);
      assert.doesNotMatch(JSON.stringify(heard), /c4nary/);
    });

    test('is not asked where the person does not allow it; the rest is explained', async () => {
      let asked = 0;
      const { causes, steps, origins } = await explained(there(), () => {
        asked++;
        return Promise.resolve(false);
      });
      // All places of its metadata are one question.
      assert.deepEqual([asked, heard, origins], [1, [], [at]]);
      assert.equal(causes[0]?.id, 'notFetched');
      assert.equal(steps.find(({ id }) => id === 'server')?.verdict, 'failed');
      assert.equal(steps.find(({ id }) => id === 'use')?.verdict, 'ok');
    });
  });

  for (const [what, change, cause] of rows)
    test(`${what}: ${cause} comes first`, async () => {
      const { causes, steps } = await explained(change);
      assert.equal(causes[0]?.id, cause, causes.map(({ id }) => id).join(', '));
      assert.notEqual(english(causes[0].remedy), '');
      // The cause is a step that was told.
      assert.ok(steps.some(({ id }) => id === causes[0]?.step));
      assert.doesNotMatch(JSON.stringify({ causes, steps }), /c4nary/);
    });
});
