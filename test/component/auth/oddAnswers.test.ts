import * as assert from 'node:assert/strict';
import { seenExchange, shownAnswer } from '../../../src/auth/doctor/look.ts';
import { shownDate } from '../../../src/auth/doctor/claimFacts.ts';
import { claimCauses } from '../../../src/auth/doctor/tokenChecks.ts';
import { readKept } from '../../../src/auth/signIns/keptSignIns.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts, TypedValue } from '../../../src/auth/signInPrompts.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';

const agentUrl = 'http://127.0.0.1:4711/agent';
const tenYears = 10 * 365 * 24 * 60 * 60 * 1000;

suite('sign-ins at servers and cards that say odd things', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const prompts = (typed: Partial<Record<TypedValue['name'], string>>, shown: string[] = []): SignInPrompts => ({
    chooseOption: ([first]) => Promise.resolve(first),
    chooseFlow: (_scheme, [first]) => Promise.resolve(first),
    type: ({ name }) => Promise.resolve(typed[name] ?? ''),
    approve: () => Promise.resolve(true),
    openBrowser: () => Promise.resolve(true),
    showDeviceCode: ({ userCode }) => {
      shown.push(userCode);
      return Promise.resolve();
    },
    certificate: () => Promise.resolve(true),
    redirects: () => assert.fail('no browser'),
  });
  const planWith = (scheme: object) =>
    signInPlan({ securitySchemes: { main: scheme }, securityRequirements: [{ schemes: { main: { list: [] } } }] });
  const client = { 'client-id': 'me', 'client-secret': 's' };

  /** Signs in as a program at a server that answers this. */
  async function signedIn(answer: object, store = new SharedSignIns(), url = agentUrl): Promise<SignIns> {
    const server = await open.web((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    );
    const signIns = new SignIns({ store: store.window(), http: open.http() });
    const plan = planWith({ oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${server}/token`, scopes: {} } } } });
    await signIns.of(url).signIn({ plan, prompts: prompts(client) });
    return signIns;
  }

  for (const seconds of [1e15, 1e308])
    test(`a token that lasts ${seconds} seconds is kept with a date, and costs no other sign-in`, async () => {
      const store = new SharedSignIns();
      await signedIn({ access_token: 'first', token_type: 'Bearer' }, store, 'http://127.0.0.1:1/');
      const signIns = await signedIn({ access_token: 'second', token_type: 'Bearer', expires_in: seconds }, store);
      const kept = readKept(await store.window().read());
      assert.equal(Object.keys(kept.agents).length, 2);
      const { state } = (await signIns.list()).find(({ url }) => url.includes('4711'))!;
      assert.ok(state.kind === 'signedIn' && (state.expiresAt ?? 0) <= Date.now() + tenYears);
      assert.match(new Date(state.expiresAt!).toISOString(), /^20/);
    });

  test('an agent whose sign-ins cannot be read costs no other agent its own', () => {
    const agent = { origins: [], servers: [], current: 'default', identities: {} };
    const text = JSON.stringify({ version: 1, agents: { good: agent, bad: { ...agent, identities: { default: { at: null } } } } });
    assert.deepEqual(Object.keys(readKept(text).agents), ['good']);
  });

  for (const token of ['a\r\nX: y', 'ключ', 'a b', ''])
    test(`a token that no request can carry is refused at once: ${JSON.stringify(token)}`, async () => {
      await assert.rejects(signedIn({ access_token: token, token_type: 'Bearer' }), Problem);
    });

  for (const [what, answer] of Object.entries({
    'no token': { token_type: 'Bearer' },
    'a time before now': { access_token: 'x', token_type: 'Bearer', expires_in: -5 },
    'a list of scopes': { access_token: 'x', token_type: 'Bearer', scope: ['a'] },
  }))
    test(`an answer with ${what} is not told as one of somebody else`, async () => {
      await assert.rejects(signedIn(answer), {
        code: 'sign-in-answer',
        message: 'The authorization server did not answer as OAuth 2.0 requires.',
      });
    });

  for (const tokenType of ['DPoP', 'mac', 'N_A'])
    test(`a token of the type ${tokenType} is refused, with the type that can be sent`, async () => {
      const store = new SharedSignIns();
      await assert.rejects(signedIn({ access_token: 'x', token_type: tokenType }, store), (error: unknown) => {
        assert.ok(error instanceof Problem && error.nextStep !== undefined);
        assert.equal(error.code, 'sign-in-token-type');
        assert.match(error.message, new RegExp(`a token of the type "${tokenType}"`, 'i'));
        assert.match(english(error.nextStep), /issue Bearer tokens/);
        return true;
      });
      assert.deepEqual(readKept(await store.window().read()).agents, {});
    });

  for (const tokenType of ['bearer', 'BEARER'])
    test(`a token of the type ${tokenType} is sent as Bearer`, async () => {
      const signIns = await signedIn({ access_token: 'x', token_type: tokenType });
      assert.deepEqual((await signIns.of(agentUrl).credentialsFor(new URL(agentUrl)))?.headers, { Authorization: 'Bearer x' });
    });

  for (const scheme of ['(a+)+$', 'x(', 'a\r\nb'])
    test(`${JSON.stringify(scheme)} is no name of a scheme, and no pattern`, async () => {
      const plan = planWith({ httpAuthSecurityScheme: { scheme } });
      const signIns = new SignIns({ store: new SharedSignIns().window(), http: open.http() });
      await assert.rejects(signIns.of(agentUrl).signIn({ plan, prompts: prompts({ token: `${'a'.repeat(40)}!` }) }), {
        code: 'sign-in-unsupported',
      });
    });

  test('a pasted header is a token all the same', async () => {
    const store = new SharedSignIns();
    const signIns = new SignIns({ store: store.window(), http: open.http() });
    const plan = planWith({ httpAuthSecurityScheme: { scheme: 'A.B' } });
    await signIns.of(agentUrl).signIn({ plan, prompts: prompts({ token: 'a.b  secret' }) });
    assert.deepEqual((await signIns.of(agentUrl).credentialsFor(new URL(agentUrl)))?.headers, { Authorization: 'A.B secret' });
  });

  const device = async (begun: object, polled: () => void = () => {}): Promise<Promise<unknown>> => {
    const server = await open.web((request, response) => {
      if (!request.url?.endsWith('/device')) polled();
      const answer = request.url?.endsWith('/device')
        ? { device_code: 'd', user_code: 'AB-12', verification_uri: 'http://127.0.0.1:1/enter', ...begun }
        : { error: 'authorization_pending' };
      response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const plan = planWith({
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: `${server}/device`, tokenUrl: `${server}/token`, scopes: {} } },
      },
    });
    const signIns = new SignIns({ store: new SharedSignIns().window(), http: open.http() });
    return signIns.of(agentUrl).signIn({ plan, prompts: prompts({ 'client-id': 'me' }) });
  };

  for (const [what, times] of [
    ['a tiny interval', { interval: 1e-9, expires_in: 2 }],
    ['an interval that no timer has', { interval: 1e9, expires_in: 1e12 }],
  ] as const)
    test(`a server that names ${what} is not asked all the time`, async () => {
      let polls = 0;
      const failed = device(times, () => (polls += 1));
      await assert.rejects(async () => await failed, { code: 'oauth-expired_token' });
      assert.ok(polls <= 4, `${polls} requests`);
    });

  for (const user_code of ['AB\n12', 'x'.repeat(65), 'A\u202eB'])
    test(`a code that nobody could type is not shown: ${JSON.stringify(user_code.slice(0, 5))}`, async () => {
      await assert.rejects(async () => await device({ user_code, expires_in: 60 }), { code: 'sign-in-answer' });
    });

  test('times that no date has are told as they are', () => {
    assert.equal(shownDate(1e18), '1000000000000000');
    const expected = { agentUrl, resource: undefined, issuer: undefined, scopes: [], now: Date.now() };
    assert.deepEqual(
      claimCauses({ nbf: 1e20 }, expected).map(({ id }) => id),
      ['notYetValid'],
    );
  });

  for (const body of [
    'access_token=SECRET&refresh_token=SECRET',
    '{"accessToken":"SECRET","token_type":"Bearer"}',
    '{"access\\u005ftoken":"SECRET"}',
    '{"x":{"access_token":"SECRET"}}',
    'SECRET',
  ])
    test(`a report shows nothing of an answer that could be a token: ${body}`, () => {
      const exchange = { request: { method: 'POST', url: 'http://x/', body: '' }, response: { status: 200, headers: [], body } };
      assert.doesNotMatch(JSON.stringify(seenExchange(exchange as unknown as Exchange, shownAnswer)), /SECRET/);
    });

  test('what an answer says besides is shown', () => {
    assert.equal(shownAnswer('{"error":"invalid_grant","error_description":"no"}'), '{"error":"invalid_grant","error_description":"no"}');
    assert.equal(
      shownAnswer('{"access_token":"x","token_type":"Bearer","expires_in":5}'),
      '{"access_token":"••••••","token_type":"Bearer","expires_in":5}',
    );
  });
});
