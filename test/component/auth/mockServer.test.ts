import * as assert from 'node:assert/strict';
import { OAuth2Server } from 'oauth2-mock-server';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts } from '../../../src/auth/signInPrompts.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';

const agentUrl = 'http://127.0.0.1:4711/agent';

suite('sign-ins at a server that answers as a test wants', () => {
  let http: Http;
  let server: OAuth2Server;
  let issuer: string;
  suiteSetup(async () => {
    http = new Http({ loadObserver });
    server = new OAuth2Server();
    await server.issuer.keys.generate('RS256');
    await server.start(0, '127.0.0.1');
    issuer = server.issuer.url!;
  });
  suiteTeardown(async () => {
    await server.stop();
    await http.close();
  });
  teardown(() => {
    server.service.removeAllListeners();
  });

  const prompts: SignInPrompts = {
    chooseOption: ([first]) => Promise.resolve(first),
    chooseFlow: (_scheme, [first]) => Promise.resolve(first),
    type: ({ name }) => Promise.resolve(name === 'client-id' ? 'me' : ''),
    certificate: () => Promise.resolve(true),
    approve: () => Promise.resolve(true),
    openBrowser: async address => {
      await fetch(address);
      return true;
    },
    showDeviceCode: () => Promise.resolve(),
    redirects: () => loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' }),
  };
  const signIn = async (): Promise<SignIns> => {
    const all = new SignIns({ store: new SharedSignIns().window(), http });
    const card = {
      securitySchemes: { login: { openIdConnectSecurityScheme: { openIdConnectUrl: `${issuer}/.well-known/openid-configuration` } } },
      securityRequirements: [{ schemes: { login: {} } }],
    };
    await all.of(agentUrl).signIn({ plan: signInPlan(card), prompts });
    return all;
  };

  test('authorization code: the token is that of the server', async () => {
    const all = await signIn();
    const sent = await all.of(agentUrl).credentialsFor(new URL(agentUrl));
    assert.match(sent?.headers['Authorization'] ?? '', /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  });

  const faults: Readonly<Record<string, readonly [plant: () => void, code: RegExp]>> = {
    'an ID token from a clock that is ahead': [
      () =>
        server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
          token.payload['iat'] = Math.floor(Date.now() / 1000) + 7200;
          token.payload['nbf'] = token.payload['iat'];
        }),
      /^sign-in-clock$/,
    ],
    'an ID token of another issuer': [
      () =>
        server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
          token.payload['iss'] = 'https://somebody.test';
        }),
      /^sign-in-(token|answer)$/,
    ],
    'an answer that is no JSON': [
      () =>
        server.service.on('beforeResponse', (answer: { body: unknown }) => {
          answer.body = 'hello';
        }),
      /^sign-in-answer$/,
    ],
    'a refusal of the code': [
      () =>
        server.service.on('beforeResponse', (answer: { statusCode: number; body: unknown }) => {
          answer.statusCode = 400;
          answer.body = { error: 'invalid_grant', error_description: 'code is used' };
        }),
      /^oauth-invalid_grant$/,
    ],
  };
  for (const [what, [plant, code]] of Object.entries(faults))
    test(`${what} ends the sign-in with its reason`, async () => {
      plant();
      const error: unknown = await signIn().then(
        () => assert.fail('it should have failed'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof Problem, String(error));
      assert.match(error.code, code);
    });
});
