import * as assert from 'node:assert/strict';
import { connect } from 'node:net';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts, TypedValue } from '../../../src/auth/signInPrompts.ts';
import type { SignInRecipient } from '../../../src/auth/signInRecipient.ts';
import { certificatesOfWorkspace } from '../../../src/model/agents/agentSettings.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { hostileServer, type HostileServer, type ServedSignIn } from '../../support/auth/hostileServer.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';

const agentUrl = 'http://127.0.0.1:4711/agent';
const target = new URL(`${agentUrl}/rpc`);
const secrets = { accessToken: 'access-1', refreshToken: 'refresh-1', deviceCode: 'device-1' };

suite('sign-ins at servers and cards that mean no good', () => {
  const open = new OpenThings();
  let served: Partial<ServedSignIn>;
  let server: HostileServer;
  setup(async () => {
    served = {};
    server = await hostileServer(open, () => ({ secrets, ...served }));
  });
  teardown(() => open.close());

  const asked = (typed: Partial<Record<TypedValue['name'], string>> = {}) => {
    const seen = { approved: [] as string[], opened: [] as string[], shown: [] as (string | undefined)[], typed: [] as string[] };
    const prompts: SignInPrompts = {
      chooseOption: ([first]) => Promise.resolve(first),
      chooseFlow: (_scheme, [first]) => Promise.resolve(first),
      type: ({ name }) => {
        seen.typed.push(name);
        return Promise.resolve(typed[name] ?? '');
      },
      approve: recipients => {
        seen.approved.push(...recipients.map(({ origin }) => origin));
        return Promise.resolve(true);
      },
      openBrowser: address => {
        seen.opened.push(address);
        void fetch(address).catch(() => {});
        return Promise.resolve(true);
      },
      showDeviceCode: ({ verificationUriComplete }) => {
        seen.shown.push(verificationUriComplete);
        return Promise.resolve();
      },
      certificate: () => Promise.resolve(true),
      redirects: () => loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' }),
    };
    return { seen, prompts };
  };
  const signIns = (): SignIns => new SignIns({ store: new SharedSignIns().window(), http: open.http() });
  const at = (path: string, index = 1): string => `${server.url}/case-${index}${path}`;
  const planWith = (scheme: object) =>
    signInPlan({ securitySchemes: { main: scheme }, securityRequirements: [{ schemes: { main: { list: [] } } }] });
  const oauth = (flows: object) => planWith({ oauth2SecurityScheme: { flows } });
  const failure = async (work: Promise<unknown>): Promise<Problem> => {
    const error: unknown = await work.then(
      () => assert.fail('it should have failed'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Problem, String(error));
    return error;
  };

  for (const [what, address, code] of [
    ['of another program', 'vscode://evil.extension/run', 'sign-in-http'],
    ['of a file', 'file:///etc/passwd', 'sign-in-http'],
    ['of a script', 'javascript:alert(1)', 'sign-in-http'],
    ['without TLS', 'http://login.test/authorize', 'sign-in-http'],
    ['that looks like another host', 'https://login.microsoftonline.com@evil.test/authorize', 'sign-in-address'],
  ] as const)
    test(`a page for the sign-in ${what} is not opened, and nobody is asked about it`, async () => {
      const { seen, prompts } = asked({ 'client-id': 'me' });
      const plan = oauth({ authorizationCode: { authorizationUrl: address, tokenUrl: at('/token'), scopes: {} } });
      assert.equal((await failure(signIns().of(agentUrl).signIn({ plan, prompts }))).code, code);
      assert.deepEqual(seen.opened, []);
      assert.deepEqual(seen.approved, []);
    });

  test('the page with the code filled in is of the origin that is shown', async () => {
    for (const [complete, expected] of [
      ['https://evil.test/device?code=AB-12', undefined],
      [`${server.url}@evil.test/device?code=AB-12`, undefined],
      [at('/enter?code=AB-12'), at('/enter?code=AB-12')],
    ] as const) {
      served = {
        instead: (what, _request, response) => {
          if (what !== 'device') return false;
          const answer = {
            device_code: 'd',
            user_code: 'AB-12',
            verification_uri: at('/enter'),
            verification_uri_complete: complete,
            expires_in: 60,
            interval: 0.001,
          };
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
          return true;
        },
      };
      const { seen, prompts } = asked({ 'client-id': 'me' });
      const plan = oauth({ deviceCode: { deviceAuthorizationUrl: at('/device'), tokenUrl: at('/token'), scopes: {} } });
      await signIns().of(agentUrl).signIn({ plan, prompts });
      assert.deepEqual(seen.shown, [expected]);
    }
  });

  test('a client secret is that of its server: a card that names another one gets none of it', async () => {
    const all = signIns();
    const typed = { 'client-id': 'me', 'client-secret': 'the-secret-of-the-first-server' };
    const plan = (index: number) => oauth({ clientCredentials: { tokenUrl: at('/token', index), scopes: {} } });
    const first = asked(typed);
    await all.of(agentUrl).signIn({ plan: plan(1), prompts: first.prompts });
    const again = asked();
    await all.of(agentUrl).signIn({ plan: plan(1), prompts: again.prompts });
    assert.deepEqual([first.seen.typed, again.seen.typed], [['client-id', 'client-secret'], []]);
    const before = server.got.length;
    const other = asked();
    assert.equal((await failure(all.of(agentUrl).signIn({ plan: plan(2), prompts: other.prompts }))).code, 'sign-in-canceled');
    assert.deepEqual(other.seen.typed, ['client-id']);
    const secret = Buffer.from(`me:${typed['client-secret']}`).toString('base64');
    assert.ok(!server.got.slice(before).some(got => got.includes(secret) || got.includes(typed['client-secret'])));
  });

  test('a refresh token and the secret of a client go to the server that has them, and not to the agent that names itself', async () => {
    let now = Date.now();
    const evil = await hostileServer(open, () => ({ secrets }));
    const shared = new SharedSignIns();
    const all = () => new SignIns({ store: shared.window(), http: open.http(), now: () => now });
    const url = `${evil.url}/case-1/agent`;
    const { seen, prompts } = asked({ 'client-id': 'me', 'client-secret': 'the-secret' });
    const flow = { authorizationUrl: at('/authorize'), tokenUrl: at('/token'), refreshUrl: `${evil.url}/case-1/steal`, scopes: {} };
    await all()
      .of(url)
      .signIn({ plan: oauth({ authorizationCode: flow }), prompts });
    assert.deepEqual(seen.approved, [server.url]);
    // As an earlier version kept it.
    const older = shared.text!.replace('"tokenEndpoint"', `"refreshEndpoint":${JSON.stringify(flow.refreshUrl)},"tokenEndpoint"`);
    for (const text of [shared.text, older]) {
      shared.text = text;
      now += 400_000;
      const before = server.got.length;
      assert.deepEqual((await all().of(url).credentialsFor(new URL(url)))?.headers, { Authorization: 'Bearer access-1-2' });
      assert.match(server.got.slice(before).join('\n'), /grant_type=refresh_token/);
    }
    assert.deepEqual(evil.got, []);
  });

  test('an address for revoking that nobody approved gets no token when the person signs out', async () => {
    const evil = await hostileServer(open, () => ({ secrets }));
    const shared = new SharedSignIns();
    const all = () => new SignIns({ store: shared.window(), http: open.http() });
    const url = `${evil.url}/case-1/agent`;
    const { prompts } = asked({ 'client-id': 'me', 'client-secret': 'the-secret' });
    await all()
      .of(url)
      .signIn({ plan: oauth({ clientCredentials: { tokenUrl: at('/token'), scopes: {} } }), prompts });
    shared.text = shared.text!.replace('"tokenEndpoint"', `"revocationEndpoint":"${evil.url}/case-1/revoke","tokenEndpoint"`);
    const unsaid = await all().signOut(url);
    assert.ok(unsaid instanceof Problem && unsaid.code === 'sign-in-origin', String(unsaid));
    assert.deepEqual(evil.got, []);
  });

  /** Cards of an agent that is at a server of its own, and name that beside a server which the person knows. */
  const mixed: Readonly<
    Record<string, (honest: string, evil: string) => { readonly scheme: object; readonly evilUses: readonly string[] }>
  > = {
    'a token endpoint beside the page of another server': (honest, evil) => ({
      scheme: flowsOf({ authorizationCode: { authorizationUrl: `${honest}/authorize`, tokenUrl: `${evil}/token`, scopes: {} } }),
      evilUses: ['token'],
    }),
    'a token endpoint beside the device codes of another server': (honest, evil) => ({
      scheme: flowsOf({ deviceCode: { deviceAuthorizationUrl: `${honest}/device`, tokenUrl: `${evil}/token`, scopes: {} } }),
      evilUses: ['token'],
    }),
    'an endpoint for device codes beside the tokens of another server': (honest, evil) => ({
      scheme: flowsOf({ deviceCode: { deviceAuthorizationUrl: `${evil}/device`, tokenUrl: `${honest}/token`, scopes: {} } }),
      evilUses: ['device'],
    }),
    'metadata that register a client and name the page of another server': (_honest, evil) => ({
      scheme: {
        oauth2SecurityScheme: { flows: {}, oauth2MetadataUrl: `${new URL(evil).origin}/.well-known/oauth-authorization-server/case-1` },
      },
      evilUses: ['registration', 'token'],
    }),
  };
  const flowsOf = (flows: object): object => ({ oauth2SecurityScheme: { flows } });

  for (const [what, cardOf] of Object.entries(mixed))
    test(`every server that gets something is named before: ${what}`, async () => {
      const evil: HostileServer = await hostileServer(open, () => ({
        secrets,
        metadata: { authorization_endpoint: at('/authorize'), registration_endpoint: `${evil.url}/case-1/register` },
      }));
      const { scheme, evilUses } = cardOf(at(''), `${evil.url}/case-1`);
      const url = `${evil.url}/case-1/agent`;
      const all = signIns();
      const { seen, prompts } = asked({ 'client-id': 'me', 'client-secret': 'the-secret' });
      const questions: (readonly SignInRecipient[])[] = [];
      const asks = (answer: boolean): SignInPrompts => ({
        ...prompts,
        approve: recipients => {
          questions.push(recipients);
          return Promise.resolve(answer);
        },
      });
      const plan = planWith(scheme);
      // That one of the two is known, and was approved before, says nothing of the other.
      const known = oauth({ clientCredentials: { tokenUrl: at('/token'), scopes: {} } });
      await all.of(url).signIn({ plan: known, prompts: asks(true) });
      questions.length = 0;
      const [asHonest, asEvil] = [server.got.length, evil.got.length];
      assert.equal((await failure(all.of(url).signIn({ plan, prompts: asks(false) }))).code, 'sign-in-origin');
      assert.equal(questions.length, 1);
      assert.deepEqual(new Set(questions[0]!.map(({ origin }) => origin)), new Set([server.url, evil.url]));
      assert.deepEqual(questions[0]!.find(({ origin }) => origin === evil.url)?.uses, evilUses);
      assert.deepEqual(seen.opened, []);
      for (const got of [...server.got.slice(asHonest), ...evil.got.slice(asEvil)]) assert.match(got, /^\S*\/\.well-known\//);
    });

  test('servers that the person approved together are not asked about again, but in other roles they are', async () => {
    const other = await hostileServer(open, () => ({ secrets }));
    const all = signIns();
    const { seen, prompts } = asked({ 'client-id': 'me' });
    const plan = (page: string, token: string) =>
      oauth({ authorizationCode: { authorizationUrl: `${page}/authorize`, tokenUrl: `${token}/token`, scopes: {} } });
    const there = `${other.url}/case-1`;
    const asksFor = async (given: ReturnType<typeof plan>, origins: readonly string[] = []): Promise<readonly string[]> => {
      seen.approved.length = 0;
      await all.of(agentUrl).signIn({ plan: given, prompts, origins });
      return [...seen.approved];
    };
    assert.deepEqual(await asksFor(plan(at(''), there)), [server.url, other.url]);
    assert.deepEqual(await asksFor(plan(at(''), there)), []);
    assert.deepEqual(await asksFor(plan(there, at(''))), [other.url, server.url]);
    // The person's own settings or command line name both.
    const fresh = signIns();
    seen.approved.length = 0;
    await fresh.of(agentUrl).signIn({ plan: plan(at(''), there), prompts, origins: [server.url, other.url] });
    assert.deepEqual(seen.approved, []);
  });

  test('tokens are renewed where they came from, whatever the card says now', async () => {
    let now = Date.now();
    const all = new SignIns({ store: new SharedSignIns().window(), http: open.http(), now: () => now });
    const { prompts } = asked({ 'client-id': 'me' });
    const plan = oauth({ authorizationCode: { authorizationUrl: at('/authorize'), tokenUrl: at('/token'), scopes: {} } });
    await all.of(agentUrl).signIn({ plan, prompts });
    now += 400_000;
    const before = server.got.length;
    assert.deepEqual((await all.of(agentUrl).credentialsFor(target))?.headers, { Authorization: 'Bearer access-1-2' });
    assert.match(server.got.slice(before).join('\n'), /^\/case-1\/token /);
  });

  test('an answer of the browser with another issuer is none (RFC 9207)', async () => {
    served = {
      instead: (what, request, response) => {
        if (what !== 'authorize') return false;
        const { searchParams } = new URL(request.url ?? '', 'http://x');
        response
          .writeHead(302, {
            Location: `${searchParams.get('redirect_uri')}?code=c&state=${searchParams.get('state')}&iss=https%3A%2F%2Fevil.test`,
          })
          .end();
        return true;
      },
    };
    const { prompts } = asked({ 'client-id': 'me' });
    const plan = oauth({ authorizationCode: { authorizationUrl: at('/authorize'), tokenUrl: at('/token'), scopes: {} } });
    assert.equal((await failure(signIns().of(agentUrl).signIn({ plan, prompts }))).code, 'sign-in-answer');
    assert.ok(!server.got.some(got => got.includes('grant_type')), 'the code is not used');
  });

  test('a server that quotes the secret in its refusal has it masked', async () => {
    const secret = 'c4nary-0f-a-client+secret/77';
    for (const quoted of [secret, encodeURIComponent(secret), Buffer.from(`me:${secret}`).toString('base64')]) {
      served = {
        instead: (what, _request, response) => {
          if (what !== 'token') return false;
          response
            .writeHead(400, { 'Content-Type': 'application/json' })
            .end(JSON.stringify({ error: 'invalid_client', error_description: `not ${quoted}` }));
          return true;
        },
      };
      const { prompts } = asked({ 'client-id': 'me', 'client-secret': secret });
      const plan = oauth({ clientCredentials: { tokenUrl: at('/token'), scopes: {} } });
      const problem = await failure(signIns().of(agentUrl).signIn({ plan, prompts }));
      assert.equal(problem.code, 'oauth-invalid_client');
      assert.match(problem.details ?? '', /^not /);
      assert.ok(!JSON.stringify([problem.details, problem.message]).includes(quoted));
    }
  });

  test('connections that say nothing do not keep the sign-in waiting', async () => {
    const receiver = await loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' });
    const silent = connect(Number(new URL(receiver.uri).port), '127.0.0.1');
    await new Promise(resolve => silent.once('connect', resolve));
    const ended = new Promise(resolve => silent.once('close', resolve));
    silent.on('error', () => {});
    await receiver.close();
    await ended;
  });

  for (const [location, name] of [
    ['header', 'Host'],
    ['header', 'Content-Length'],
    ['header', 'transfer-encoding'],
    ['header', 'Proxy-Authorization'],
    ['header', 'X Key'],
    ['header', 'X-Key\r\nX-Other'],
    ['cookie', 'a=b; c'],
    ['query', ''],
  ] as const)
    test(`a key as ${JSON.stringify(name)} in the ${location} is not asked for`, async () => {
      const { seen, prompts } = asked({ key: 'k1' });
      const plan = planWith({ apiKeySecurityScheme: { location, name } });
      assert.equal((await failure(signIns().of(agentUrl).signIn({ plan, prompts }))).code, 'sign-in-unsupported');
      assert.deepEqual(seen.typed, []);
    });

  test('a workspace that decides which certificates are trusted gets a sign-in along only where the person allowed that', async () => {
    const certificates = certificatesOfWorkspace({ url: agentUrl, ofWorkspace: true, tls: { rejectUnauthorized: false } });
    const authority = certificatesOfWorkspace({ url: agentUrl, ofWorkspace: true, base: '/w', tls: { ca: 'ca.pem' } });
    assert.equal(certificatesOfWorkspace({ url: agentUrl, tls: { rejectUnauthorized: false } }), undefined);
    assert.equal(certificatesOfWorkspace({ url: agentUrl, ofWorkspace: true, tls: { certificate: 'a', key: 'b' } }), undefined);
    const all = signIns();
    const plan = planWith({ httpAuthSecurityScheme: { scheme: 'Bearer' } });
    await all.of(agentUrl).signIn({ plan, prompts: asked({ token: 't-1' }).prompts });
    const sent = async (given?: string): Promise<unknown> =>
      (await all.of(agentUrl, undefined, 'request', given).credentialsFor(target))?.headers;
    const own = { Authorization: 'Bearer t-1' };
    assert.deepEqual(await sent(), own);
    for (const given of [certificates, authority]) assert.equal((await failure(sent(given))).code, 'sign-in-certificates');
    await all.of(agentUrl).signIn({ plan, certificates, prompts: asked({ token: 't-1' }).prompts });
    assert.deepEqual([await sent(), await sent(certificates)], [own, own]);
    assert.equal((await failure(sent(authority))).code, 'sign-in-certificates');
  });

  test('names that look like this machine are none', async () => {
    const plan = planWith({ httpAuthSecurityScheme: { scheme: 'Bearer' } });
    for (const host of ['localhost.', 'localhost.evil.test', '127.0.0.1.evil.test', 'evil.test', '127.0.0.1.']) {
      const url = `http://${host}:4711/agent`;
      const all = signIns();
      await all.of(url).signIn({ plan, prompts: asked({ token: 't-1' }).prompts });
      const credentials = await all.of(url).credentialsFor(new URL(url));
      // "127.0.0.1." is read as the address itself (WHATWG URL).
      assert.equal(credentials === undefined, new URL(url).hostname !== '127.0.0.1', host);
    }
    assert.equal(URL.canParse('http://[fe80::1%25eth0]/'), false);
  });
});
