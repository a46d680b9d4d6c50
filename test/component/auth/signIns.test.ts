import * as assert from 'node:assert/strict';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts, TypedValue } from '../../../src/auth/signInPrompts.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { confidential, openOidcProvider, publicClient, signInInBrowser, type OidcServer } from '../../support/auth/oidcProvider.ts';

type Security = Parameters<typeof signInPlan>[0];

const agentUrl = 'http://127.0.0.1:4711/agent';
const target = new URL(`${agentUrl}/rpc`);

suite('sign-ins', () => {
  let http: Http;
  let server: OidcServer | undefined;
  let shared: SharedSignIns;
  let now: number;
  setup(() => {
    http = new Http({ loadObserver });
    shared = new SharedSignIns();
    now = Date.now();
  });
  teardown(async () => {
    await http.close();
    await server?.close();
    server = undefined;
  });

  const signIns = (): SignIns => new SignIns({ store: shared.window(), http, now: () => now });
  const page = { language: 'en', done: 'done', failed: 'failed' };

  function prompts(
    values: Partial<Record<TypedValue['name'], string>> = {},
    more: Partial<SignInPrompts> = {},
  ): SignInPrompts & { readonly approved: string[] } {
    const approved: string[] = [];
    return {
      approved,
      chooseOption: ([first]) => Promise.resolve(first),
      chooseFlow: (_scheme, [first]) => Promise.resolve(first),
      type: ({ name }) => Promise.resolve(values[name]),
      approve: recipients => {
        approved.push(...recipients.map(({ origin }) => origin));
        return Promise.resolve(true);
      },
      certificate: () => Promise.resolve(true),
      openBrowser: address => {
        void signInInBrowser(address, { until: new URL(address).searchParams.get('redirect_uri')! }).catch(() => {});
        return Promise.resolve(true);
      },
      showDeviceCode: ({ verificationUriComplete = '' }) => {
        void signInInBrowser(verificationUriComplete);
        return Promise.resolve();
      },
      redirects: () => loopbackRedirects(page),
      ...more,
    };
  }

  const failure = async (work: Promise<unknown>): Promise<Problem> => {
    const error: unknown = await work.then(
      () => assert.fail('it should have failed'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Problem, String(error));
    return error;
  };

  const cardWith = (scheme: NonNullable<Security['securitySchemes']>[string], list: string[] = []): Security => ({
    securitySchemes: { main: scheme },
    securityRequirements: [{ schemes: { main: { list } } }],
  });

  const statics: readonly (readonly [
    what: string,
    card: Security,
    typed: Partial<Record<TypedValue['name'], string>>,
    sent: object,
    account?: string,
  ])[] = [
    [
      'API key in a header',
      cardWith({ apiKeySecurityScheme: { location: 'header', name: 'X-Tool' } }),
      { key: 'k1' },
      { headers: { 'X-Tool': 'k1' }, query: {} },
    ],
    [
      'API key in the query',
      cardWith({ apiKeySecurityScheme: { location: 'query', name: 'k' } }),
      { key: 'k1' },
      { headers: {}, query: { k: 'k1' } },
    ],
    [
      'API key in a cookie',
      cardWith({ apiKeySecurityScheme: { location: 'cookie', name: 'c' } }),
      { key: 'k1' },
      { headers: { Cookie: 'c=k1' }, query: {} },
    ],
    [
      'basic',
      cardWith({ httpAuthSecurityScheme: { scheme: 'Basic' } }),
      { user: 'ann', password: 'p:ä' },
      { headers: { Authorization: `Basic ${Buffer.from('ann:p:ä').toString('base64')}` }, query: {} },
      'ann',
    ],
    [
      'bearer',
      cardWith({ httpAuthSecurityScheme: { scheme: 'bearer' } }),
      { token: 'Bearer abc' },
      { headers: { Authorization: 'Bearer abc' }, query: {} },
    ],
    [
      'another scheme',
      cardWith({ httpAuthSecurityScheme: { scheme: 'Token' } }),
      { token: 'abc' },
      { headers: { Authorization: 'Token abc' }, query: {} },
    ],
    [
      'two at once',
      {
        securitySchemes: {
          one: { apiKeySecurityScheme: { location: 'header', name: 'A' } },
          two: { apiKeySecurityScheme: { location: 'cookie', name: 'B' } },
        },
        securityRequirements: [{ schemes: { one: {}, two: {} } }],
      },
      { key: 'k' },
      { headers: { A: 'k', Cookie: 'B=k' }, query: {} },
    ],
  ];
  for (const [what, card, typed, sent, account] of statics)
    test(`${what}: what is typed is sent to the agent and to no other origin`, async () => {
      const all = signIns();
      const mine = all.of(agentUrl);
      await mine.signIn({ plan: signInPlan(card), prompts: prompts(typed) });
      const { schemes: _, identity, ...credentials } = (await mine.credentialsFor(target))!;
      assert.deepEqual(credentials, sent);
      assert.equal(identity, 'default');
      for (const other of [
        'http://127.0.0.1:4712/agent',
        'http://localhost:4711/agent',
        'https://agent.test/agent',
        'http://agent.test:4711/',
      ])
        assert.equal(await mine.credentialsFor(new URL(other)), undefined, other);
      const state = await mine.state();
      assert.deepEqual([state.kind, state.kind === 'signedIn' && state.account], ['signedIn', account]);
      // Another agent at the same host has none of it.
      assert.equal(await all.of('http://127.0.0.1:4711/other').credentialsFor(target), undefined);
      assert.equal(await mine.signOut(), undefined);
      assert.equal(await mine.credentialsFor(target), undefined);
      assert.equal(shared.text?.includes('k1'), false);
    });

  test('a value with a line break is refused', async () => {
    const problem = await failure(
      signIns()
        .of(agentUrl)
        .signIn({ plan: signInPlan(cardWith({ httpAuthSecurityScheme: { scheme: 'bearer' } })), prompts: prompts({ token: 'a\r\nX: y' }) }),
    );
    assert.equal(problem.code, 'sign-in-value');
    assert.equal(shared.text, undefined);
  });

  test('a credential is not sent without TLS to another machine', async () => {
    const mine = signIns().of('http://agent.test/');
    await mine.signIn({ plan: signInPlan(cardWith({ httpAuthSecurityScheme: { scheme: 'bearer' } })), prompts: prompts({ token: 'abc' }) });
    assert.equal(await mine.credentialsFor(new URL('http://agent.test/rpc')), undefined);
  });

  test('two identities at one agent are kept apart', async () => {
    const all = signIns();
    const plan = signInPlan(cardWith({ httpAuthSecurityScheme: { scheme: 'bearer' } }));
    for (const name of ['alice', 'bob'])
      await all.of(agentUrl).signIn({ plan, identity: name, prompts: prompts({ token: `of ${name}`.replace(' ', '-') }) });
    const sent = async (identity?: string): Promise<string | undefined> =>
      (await all.of(agentUrl, identity).credentialsFor(target))?.headers['Authorization'];
    assert.deepEqual([await sent(), await sent('alice'), await sent('bob')], ['Bearer of-bob', 'Bearer of-alice', 'Bearer of-bob']);
    await all.use(agentUrl, 'alice');
    assert.equal(await sent(), 'Bearer of-alice');
    const present = [...(await all.present()).values()].map(({ current, states }) => [current, ...states.keys()]);
    assert.deepEqual(present, [['alice', 'alice', 'bob']]);
    assert.equal((await failure(sent('carol') as Promise<unknown>)).code, 'sign-in-missing');
    await all.signOut(agentUrl, 'alice');
    assert.deepEqual(await all.identities(agentUrl), ['bob']);
    assert.equal(await sent(), 'Bearer of-bob');
  });

  const oauthCard = (flow: 'authorizationCode' | 'deviceCode' | 'clientCredentials'): Security => {
    const at = (path: string): string => `${server!.issuer}${path}`;
    const scopes = { 'agents:use': '' };
    const flows = {
      authorizationCode: { authorizationUrl: at('/auth'), tokenUrl: at('/token'), scopes },
      deviceCode: { deviceAuthorizationUrl: at('/device/auth'), tokenUrl: at('/token'), scopes },
      clientCredentials: { tokenUrl: at('/token'), scopes },
    };
    return cardWith({ oauth2SecurityScheme: { flows: { [flow]: flows[flow] } } }, ['agents:use']);
  };
  const program = { 'client-id': confidential.client_id, 'client-secret': confidential.client_secret };

  test('client credentials: a token of a real server, asked for again when it is over', async () => {
    server = await openOidcProvider({ resource: agentUrl, tokenSeconds: 120 });
    const mine = signIns().of(agentUrl);
    const asked = prompts(program);
    await mine.signIn({ plan: signInPlan(oauthCard('clientCredentials')), prompts: asked });
    assert.deepEqual(asked.approved, [server.issuer]);
    const first = (await mine.credentialsFor(target))!.headers['Authorization'];
    assert.match(first!, /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    assert.equal((await mine.credentialsFor(target))!.headers['Authorization'], first);
    now += 90_000;
    const second = (await mine.credentialsFor(target))!.headers['Authorization'];
    assert.notEqual(second, first);
    assert.deepEqual(server.grants, ['client_credentials', 'client_credentials']);
  });

  test('client credentials: a wrong secret, an unknown scope and a server that is not approved are told', async () => {
    server = await openOidcProvider();
    const mine = signIns().of(agentUrl);
    const plan = signInPlan(oauthCard('clientCredentials'));
    const wrong = await failure(mine.signIn({ plan, prompts: prompts({ ...program, 'client-secret': 'not-the-secret' }) }));
    assert.equal(wrong.code, 'oauth-invalid_client');
    assert.doesNotMatch(JSON.stringify([wrong.sentence, wrong.details, wrong.nextStep]), /not-the-secret/);
    const unapproved = await failure(mine.signIn({ plan, prompts: prompts(program, { approve: () => Promise.resolve(false) }) }));
    assert.equal(unapproved.code, 'sign-in-origin');
    const scope = signInPlan({
      ...oauthCard('clientCredentials'),
      securityRequirements: [{ schemes: { main: { list: ['offline_access'] } } }],
    });
    assert.match((await failure(mine.signIn({ plan: scope, prompts: prompts(program) }))).code, /^oauth-invalid_scope$/);
    assert.equal((await mine.state()).kind, 'none');
  });

  test('authorization code: a person signs in in the browser with a client that registers itself; the token is renewed', async () => {
    server = await openOidcProvider({ tokenSeconds: 300 });
    const card = cardWith({ openIdConnectSecurityScheme: { openIdConnectUrl: `${server.issuer}/.well-known/openid-configuration` } });
    const mine = signIns().of(agentUrl);
    await mine.signIn({ plan: { ...signInPlan(card) }, prompts: prompts() });
    const state = await mine.state();
    assert.deepEqual(
      [state.kind, state.kind === 'signedIn' && state.account, state.kind === 'signedIn' && state.renews],
      ['signedIn', 'alice', true],
    );
    const first = (await mine.credentialsFor(target))!.headers['Authorization'];
    now += 250_000;
    const second = (await mine.credentialsFor(target))!.headers['Authorization'];
    assert.notEqual(second, first);
    assert.deepEqual(server.grants, ['authorization_code', 'refresh_token']);
    assert.equal(await mine.signOut(), undefined);
  });

  test('a refresh token that is good for one use: each renewal takes the one of the renewal before', async () => {
    server = await openOidcProvider({ tokenSeconds: 300, rotates: true });
    const card = cardWith({ openIdConnectSecurityScheme: { openIdConnectUrl: `${server.issuer}/.well-known/openid-configuration` } });
    const mine = signIns().of(agentUrl);
    await mine.signIn({ plan: signInPlan(card), prompts: prompts() });
    const kept = (): string => /"refreshToken":"([^"]+)"/.exec(shared.text!)![1]!;
    const sent = [(await mine.credentialsFor(target))!.headers['Authorization']];
    const refreshTokens = [kept()];
    for (let renewal = 0; renewal < 3; renewal++) {
      now += 250_000;
      sent.push((await mine.credentialsFor(target))!.headers['Authorization']);
      refreshTokens.push(kept());
    }
    await mine.renewNow();
    refreshTokens.push(kept());
    assert.equal(new Set(sent).size, 4);
    assert.equal(new Set(refreshTokens).size, 5);
    assert.equal((await mine.state()).kind, 'signedIn');
    assert.deepEqual(server.grants, ['authorization_code', ...Array<string>(4).fill('refresh_token')]);
    // One that was used before ends the whole grant (RFC 9700 §4.14.2): the server takes no other of it either.
    shared.text = shared.text!.replace(kept(), refreshTokens[0]!);
    const other = signIns().of(agentUrl);
    await assert.rejects(other.renewNow(), Problem);
    assert.equal((await other.state()).kind, 'expired');
  });

  test('two windows and many requests use a refresh token once', async () => {
    server = await openOidcProvider({ tokenSeconds: 300 });
    const card = cardWith({ openIdConnectSecurityScheme: { openIdConnectUrl: `${server.issuer}/.well-known/openid-configuration` } });
    const [one, other] = [signIns(), signIns()];
    await one.of(agentUrl).signIn({ plan: signInPlan(card), prompts: prompts() });
    await other.of(agentUrl).credentialsFor(target);
    now += 250_000;
    const sent = await Promise.all(
      [one, other, one, other, one].map(async all => (await all.of(agentUrl).credentialsFor(target))?.headers['Authorization']),
    );
    assert.equal(new Set(sent).size, 1);
    assert.equal(
      sent.every(value => value?.startsWith('Bearer ') === true),
      true,
    );
    assert.deepEqual(server.grants, ['authorization_code', 'refresh_token']);
  });

  test('a refresh token that is refused ends the sign-in, and nobody asks again', async () => {
    server = await openOidcProvider({ tokenSeconds: 300 });
    const card = cardWith({ openIdConnectSecurityScheme: { openIdConnectUrl: `${server.issuer}/.well-known/openid-configuration` } });
    const all = signIns();
    const mine = all.of(agentUrl);
    await mine.signIn({ plan: signInPlan(card), prompts: prompts() });
    shared.text = shared.text!.replace(/"refreshToken":"[^"]*"/, '"refreshToken":"another"');
    const fresh = signIns().of(agentUrl);
    now += 250_000;
    await fresh.credentialsFor(target);
    assert.equal((await fresh.state()).kind, 'expired');
    assert.equal(await fresh.renew(now), false);
  });

  test('a sign-in that is denied in the browser says so', async () => {
    server = await openOidcProvider();
    const card = cardWith({ openIdConnectSecurityScheme: { openIdConnectUrl: `${server.issuer}/.well-known/openid-configuration` } });
    const denying = prompts(
      {},
      {
        openBrowser: address => {
          void signInInBrowser(address, { until: new URL(address).searchParams.get('redirect_uri')!, deny: true }).catch(() => {});
          return Promise.resolve(true);
        },
      },
    );
    assert.equal(
      (
        await failure(
          signIns()
            .of(agentUrl)
            .signIn({ plan: signInPlan(card), prompts: denying }),
        )
      ).code,
      'oauth-access_denied',
    );
  });

  test('device code: the person signs in elsewhere', async () => {
    server = await openOidcProvider();
    const card = oauthCard('deviceCode');
    const mine = signIns().of(agentUrl);
    await mine.signIn({
      plan: signInPlan({ ...card, securityRequirements: [{ schemes: { main: {} } }] }),
      prompts: prompts({ 'client-id': publicClient, 'client-secret': '' }),
    });
    assert.match((await mine.credentialsFor(target))!.headers['Authorization']!, /^Bearer /);
    assert.ok(server.grants.length >= 1);
  });

  test('what was kept by another version is nothing', async () => {
    shared.text = '{"version":2,"agents":{}}';
    assert.deepEqual(await signIns().list(), []);
    shared.text = 'no JSON';
    assert.equal((await signIns().state(agentUrl)).kind, 'none');
  });
});
