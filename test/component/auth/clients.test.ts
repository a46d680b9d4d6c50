import * as assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientFor } from '../../../src/auth/oauth/clientOfSignIn.ts';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import type { OAuthContext } from '../../../src/auth/oauth/oauthFetch.ts';
import { SignInCanceled } from '../../../src/auth/signInCanceled.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts, TypedValue } from '../../../src/auth/signInPrompts.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { english } from '../../../src/protocol/problem.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { openOidcProvider, publicClient, signInInBrowser, type OidcServer } from '../../support/auth/oidcProvider.ts';

const agentUrl = 'http://127.0.0.1:4711/agent';
const target = new URL(agentUrl);

suite('clients of sign-ins', () => {
  let http: Http;
  let server: OidcServer | undefined;
  let web: Server | undefined;
  let now: number;
  setup(() => {
    http = new Http({ loadObserver });
    now = Date.now();
  });
  teardown(async () => {
    await http.close();
    await server?.close();
    web?.close();
    web?.closeAllConnections();
    server = web = undefined;
  });

  interface Asked {
    readonly typed: string[];
    readonly prompts: SignInPrompts;
  }
  function asked(values: Partial<Record<TypedValue['name'], string>>, more: Partial<SignInPrompts> = {}): Asked {
    const typed: string[] = [];
    return {
      typed,
      prompts: {
        chooseOption: ([first]) => Promise.resolve(first),
        chooseFlow: (_scheme, [first]) => Promise.resolve(first),
        type: ({ name, prompt }) => {
          typed.push(`${name}: ${english(prompt)}`);
          return Promise.resolve(values[name]);
        },
        approve: () => Promise.resolve(true),
        certificate: () => Promise.resolve(true),
        openBrowser: address => {
          void signInInBrowser(address, { until: new URL(address).searchParams.get('redirect_uri')! }).catch(() => {});
          return Promise.resolve(true);
        },
        showDeviceCode: () => Promise.resolve(),
        redirects: () => loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' }),
        ...more,
      },
    };
  }
  const signIns = (): SignIns => new SignIns({ store: new SharedSignIns().window(), http, now: () => now });
  const openId = (issuer: string) =>
    signInPlan({
      securitySchemes: { login: { openIdConnectSecurityScheme: { openIdConnectUrl: `${issuer}/.well-known/openid-configuration` } } },
      securityRequirements: [{ schemes: { login: { list: [] } } }],
    });

  test('where none registers itself, the person gives the id of one, and is told its redirect address', async () => {
    // The client is registered with http://127.0.0.1/callback, and the server compares all but the port.
    server = await openOidcProvider({ registers: false });
    const { prompts, typed } = asked({ 'client-id': publicClient, 'client-secret': '' });
    const mine = signIns().of(agentUrl);
    await mine.signIn({ plan: openId(server.issuer), prompts });
    assert.match(typed[0]!, /^client-id: .*http:\/\/127\.0\.0\.1\/callback \(any port\) at .*\.$/);
    assert.match((await mine.credentialsFor(target))!.headers['Authorization']!, /^Bearer /);
    // The next sign-in uses the same client.
    const again = asked({});
    await mine.signIn({ plan: openId(server.issuer), prompts: again.prompts });
    assert.deepEqual(again.typed, []);
  });

  test('a redirect that comes back through VS Code is named whole, without a port', async () => {
    const said: string[] = [];
    const type: SignInPrompts['type'] = ({ prompt }) => {
      said.push(english(prompt));
      return Promise.resolve(undefined);
    };
    await assert.rejects(
      clientFor(
        {
          context: {} as OAuthContext,
          server: { issuer: 'https://id.example' },
          flow: 'authorizationCode',
          scheme: 'login',
          wanted: [],
          prompts: { type },
        },
        'vscode://a2a-workbench.a2a-workbench/signed-in?windowId=1',
      ),
      SignInCanceled,
    );
    assert.deepEqual(said, [
      'Client ID. Register the redirect URI vscode://a2a-workbench.a2a-workbench/signed-in at https://id.example for "login".',
    ]);
  });

  interface Sent {
    readonly path: string;
    readonly authorization?: string;
    readonly body: URLSearchParams;
  }
  /** A server that notes what it was sent. @param refuses the code with which it refuses a request; tokens where there is none */
  async function noting(
    metadata: object,
    refuses: (sent: Sent) => string | undefined = () => undefined,
  ): Promise<{ readonly url: string; readonly sent: readonly Sent[] }> {
    const sent: Sent[] = [];
    web = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += String(chunk)));
      request.on('end', () => {
        const { pathname } = new URL(request.url ?? '', 'http://x');
        const json = (value: object): void =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
        if (pathname === '/.well-known/openid-configuration')
          return json({ issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, ...metadata });
        if (request.method !== 'POST') return void response.writeHead(404).end();
        const { authorization } = request.headers;
        sent.push({ path: pathname, ...(authorization !== undefined && { authorization }), body: new URLSearchParams(text) });
        const error = refuses(sent.at(-1)!);
        if (error !== undefined)
          return void response
            .writeHead(error === 'invalid_client' ? 401 : 400, { 'content-type': 'application/json' })
            .end(JSON.stringify({ error }));
        if (pathname === '/device')
          return json({ device_code: 'd', user_code: 'AB-12', verification_uri: `${url}/enter`, interval: 1e-9, expires_in: 60 });
        json({ access_token: `token-${sent.length}`, token_type: 'bearer', expires_in: 120, refresh_token: `refresh-${sent.length}` });
      });
    });
    await new Promise<void>(resolve => web!.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    return { url, sent };
  }
  const answering = (address: string): Promise<boolean> => {
    const { searchParams } = new URL(address);
    void fetch(`${searchParams.get('redirect_uri')!}?code=c&state=${searchParams.get('state')!}`);
    return Promise.resolve(true);
  };
  const flows = (url: string, more: object = {}) =>
    signInPlan({
      securitySchemes: {
        login: {
          oauth2SecurityScheme: {
            flows: { authorizationCode: { authorizationUrl: `${url}/authorize`, tokenUrl: `${url}/token`, scopes: {}, ...more } },
          },
        },
      },
      securityRequirements: [{ schemes: { login: { list: ['use'] } } }],
    });

  test('the id may be the address of a metadata document where the server takes those', async () => {
    const { url, sent } = await noting({ client_id_metadata_document_supported: true });
    const { prompts, typed } = asked({ 'client-id': 'https://client.example/a2a.json' }, { openBrowser: answering });
    const mine = signIns().of(agentUrl);
    await mine.signIn({ plan: flows(url), prompts });
    assert.equal(typed.length, 1, 'no secret is asked for');
    assert.match(typed[0]!, /metadata document/);
    assert.equal(sent[0]?.body.get('client_id'), 'https://client.example/a2a.json');
    assert.equal(sent[0]?.authorization, undefined);
  });

  for (const [methods, how] of [
    [['client_secret_basic'], 'basic'],
    [['client_secret_post'], 'post'],
  ] as const)
    test(`tokens are renewed with the same client authentication, ${how}, at the address for refreshing that the card names`, async () => {
      const { url, sent } = await noting({ token_endpoint_auth_methods_supported: methods });
      const { prompts } = asked({ 'client-id': 'me', 'client-secret': 's3cret0fMe' }, { openBrowser: answering });
      const mine = signIns().of(agentUrl);
      await mine.signIn({ plan: flows(url, { refreshUrl: `${url}/refresh` }), prompts });
      now += 90_000;
      assert.equal((await mine.credentialsFor(target))?.headers['Authorization'], 'Bearer token-2');
      assert.deepEqual(
        sent.map(({ path, body }) => [path, body.get('grant_type')]),
        [
          ['/token', 'authorization_code'],
          ['/refresh', 'refresh_token'],
        ],
      );
      const shown = sent.map(({ authorization, body }) => [authorization, body.get('client_secret')]);
      assert.deepEqual(shown[0], shown[1]);
      assert.deepEqual(
        shown[0],
        how === 'basic' ? [`Basic ${Buffer.from('me:s3cret0fMe').toString('base64')}`, null] : [undefined, 's3cret0fMe'],
      );
    });

  /** Where the secret was, for each request. */
  const placesOf = (sent: readonly Sent[]) =>
    sent.map(
      ({ path, authorization, body }) => `${path} ${authorization !== undefined ? 'header' : body.has('client_secret') ? 'form' : '-'}`,
    );
  const inFormAlone = ({ body }: Sent) => (body.has('client_secret') ? undefined : 'invalid_client');
  const person = { 'client-id': 'me', 'client-secret': 's3cret0fMe' };

  // AnWeber/vscode-httpyac#240 and a2aproject/A2A#1745 are about servers like these: what a card says has to be enough.
  for (const code of ['invalid_client', 'invalid_request'])
    test(`a server that looks for the secret in the form alone (${code}) is asked that way, and renewed that way at once`, async () => {
      const { url, sent } = await noting({}, request => inFormAlone(request) && code);
      const mine = signIns().of(agentUrl);
      await mine.signIn({ plan: flows(url), prompts: asked(person, { openBrowser: answering }).prompts });
      now += 90_000;
      assert.match((await mine.credentialsFor(target))!.headers['Authorization']!, /^Bearer token/);
      assert.deepEqual(placesOf(sent), ['/token header', '/token form', '/token form']);
    });

  test('a server whose metadata name the form and that takes the header alone is asked that way', async () => {
    const { url, sent } = await noting({ token_endpoint_auth_methods_supported: ['client_secret_post'] }, ({ body }) =>
      body.has('client_secret') ? 'invalid_client' : undefined,
    );
    await signIns()
      .of(agentUrl)
      .signIn({ plan: flows(url), prompts: asked(person, { openBrowser: answering }).prompts });
    assert.deepEqual(placesOf(sent), ['/token form', '/token header']);
  });

  test('a device asks on the way in which its client was accepted', async () => {
    let pending = 1;
    const { url, sent } = await noting({}, request =>
      request.path === '/device' ? undefined : (inFormAlone(request) ?? (pending-- > 0 ? 'authorization_pending' : undefined)),
    );
    const device = { deviceCode: { deviceAuthorizationUrl: `${url}/device`, tokenUrl: `${url}/token`, scopes: {} } };
    const plan = signInPlan({
      securitySchemes: { login: { oauth2SecurityScheme: { flows: device } } },
      securityRequirements: [{ schemes: { login: { list: [] } } }],
    });
    await signIns()
      .of(agentUrl)
      .signIn({ plan, prompts: asked(person).prompts });
    assert.deepEqual(placesOf(sent), ['/device header', '/token header', '/token form', '/token form']);
  });

  test('a secret that is wrong both ways is tried twice, and a public client once', async () => {
    const { url, sent } = await noting({}, () => 'invalid_client');
    for (const secret of ['s3cret0fMe', ''])
      await assert.rejects(
        signIns()
          .of(agentUrl)
          .signIn({ plan: flows(url), prompts: asked({ ...person, 'client-secret': secret }, { openBrowser: answering }).prompts }),
        { code: 'oauth-invalid_client' },
      );
    assert.deepEqual(placesOf(sent), ['/token header', '/token form', '/token -']);
  });

  test('an address for refreshing at another origin than the token endpoint is not used: the token endpoint refreshes', async () => {
    const { url, sent } = await noting({});
    const { prompts } = asked({ 'client-id': 'me', 'client-secret': '' }, { openBrowser: answering });
    const mine = signIns().of(agentUrl);
    await mine.signIn({ plan: flows(url, { refreshUrl: 'https://elsewhere.example/refresh' }), prompts });
    now += 90_000;
    assert.equal((await mine.credentialsFor(target))?.headers['Authorization'], 'Bearer token-2');
    assert.deepEqual(
      sent.map(({ path }) => path),
      ['/token', '/token'],
    );
  });

  test('the scopes of a challenge are asked for as well: a step up', async () => {
    const { url } = await noting({});
    let scope: string | null = null;
    const { prompts } = asked(
      { 'client-id': 'me', 'client-secret': '' },
      {
        openBrowser: address => {
          scope = new URL(address).searchParams.get('scope');
          return answering(address);
        },
      },
    );
    const challenge = 'Bearer error="insufficient_scope", scope="admin use"';
    await signIns()
      .of(agentUrl)
      .signIn({ plan: flows(url), prompts, challenge });
    assert.equal(scope, 'use admin');
  });
});
