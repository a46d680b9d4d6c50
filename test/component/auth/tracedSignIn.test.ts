import * as assert from 'node:assert/strict';
import { explainSignIn } from '../../../src/auth/doctor/explainSignIn.ts';
import type { SeenExchange, SignInReport } from '../../../src/auth/doctor/signInReport.ts';
import { SignInTrace } from '../../../src/auth/doctor/signInTrace.ts';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts } from '../../../src/auth/signInPrompts.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import { english } from '../../../src/protocol/problem.ts';
import { signInReportText } from '../../../src/workbench/signIn/signInReportText.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { confidential, openOidcProvider, publicClient, signInInBrowser, type OidcServer } from '../../support/auth/oidcProvider.ts';

const agentUrl = 'http://127.0.0.1:4711/agent';

suite('a sign-in that is explained while somebody signs in', () => {
  let http: Http;
  let server: OidcServer;
  setup(() => {
    http = new Http({ loadObserver });
  });
  teardown(async () => {
    await http.close();
    await server.close();
  });

  async function explained(
    client: string,
    browser: { readonly deny?: boolean; readonly never?: boolean } = {},
  ): Promise<{ report: SignInReport; text: string; kept: string }> {
    const trace = new SignInTrace(http);
    const shared = new SharedSignIns();
    const mine = new SignIns({ store: shared.window(), http: trace.http }).of(agentUrl);
    const card = {
      securitySchemes: {
        login: { openIdConnectSecurityScheme: { openIdConnectUrl: `${server.issuer}/.well-known/openid-configuration` } },
      },
      securityRequirements: [{ schemes: { login: { list: [] } } }],
    };
    const stop = new AbortController();
    const prompts: SignInPrompts = {
      chooseOption: ([first]) => Promise.resolve(first),
      chooseFlow: (_scheme, [first]) => Promise.resolve(first),
      type: ({ name }) => Promise.resolve(name === 'client-id' ? client : ''),
      approve: () => Promise.resolve(true),
      certificate: () => Promise.resolve(true),
      openBrowser: address => {
        const until = new URL(address).searchParams.get('redirect_uri')!;
        // The server shows a page of its own where it does not know the redirect address: the person closes it.
        void signInInBrowser(address, { until, ...browser }).then(
          end => (end.startsWith(until) ? undefined : stop.abort()),
          () => stop.abort(),
        );
        return Promise.resolve(true);
      },
      showDeviceCode: () => Promise.resolve(),
      redirects: () => loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' }),
    };
    const report = await explainSignIn({
      agentUrl,
      card: {
        ...card,
        name: 'A',
        description: '',
        version: '1',
        supportedInterfaces: [],
        capabilities: {},
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [],
      },
      plan: signInPlan(card),
      context: { http: trace.http, requireOrigin: () => Promise.resolve() },
      ask: signedIn => Promise.resolve({ problem: signedIn ? undefined : new UnauthorizedProblem(401, 'Bearer'), exchanges: [] }),
      tokens: async () => {
        await mine.signIn({ plan: signInPlan(card), prompts: trace.prompts(prompts), signal: stop.signal });
        const value = (await mine.credentialsFor(new URL(agentUrl)))!.headers['Authorization']!;
        return { tokenType: 'Bearer', accessToken: value.replace('Bearer ', ''), scopes: [] };
      },
      refresh: () => mine.renewNow(),
      trace,
      now: Date.now,
    });
    return { report, text: signInReportText(report, english), kept: shared.text ?? '' };
  }

  test('has a step for the browser and the exchanges of token and renewal, without the credentials in them', async () => {
    server = await openOidcProvider({ registers: false });
    const { report, text, kept } = await explained(publicClient);
    assert.deepEqual(
      report.steps.map(({ id, verdict }) => `${id} ${verdict}`),
      ['card ok', 'request ok', 'server ok', 'client ok', 'authorization ok', 'token ok', 'claims skipped', 'use ok', 'refresh ok'],
    );
    assert.match(text, /Step 5\. Authorization in the browser: ok/);
    assert.match(text, /\/auth\?.*client_id=native.*code_challenge_method=S256.*state=••••••/);
    assert.match(text, /location: http:\/\/127\.0\.0\.1:\d+\/callback\?code=••••••/);
    assert.match(text, /grant_type=authorization_code/);
    assert.match(text, /^ {4}GET \S+\/openid-configuration\n {4}accept: application\/json\n {4}HTTP 200$/m);
    assert.match(text, /^ {4}\{\n {6}"authorization_endpoint": /m, 'JSON is a member a line');
    assert.match(text, /grant_type=refresh_token\n.*refresh_token=••••••|refresh_token=••••••/);
    const secrets = [...kept.matchAll(/"(?:accessToken|refreshToken|idToken)":"([^"]+)"/g)].map(([, value]) => value!);
    assert.ok(secrets.length >= 2);
    for (const secret of secrets) assert.equal(text.includes(secret) || JSON.stringify(report).includes(secret), false);
  });

  test('shows the headers of requests, with the secret of the client masked', async () => {
    server = await openOidcProvider({ registers: false });
    const trace = new SignInTrace(http);
    const plan = signInPlan({
      securitySchemes: {
        program: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${server.issuer}/token`, scopes: {} } } } },
      },
      securityRequirements: [{ schemes: { program: { list: [] } } }],
    });
    const prompts = {
      chooseFlow: (_scheme: string, [first]: readonly unknown[]) => Promise.resolve(first),
      type: ({ name }: { name: string }) => Promise.resolve(name === 'client-id' ? confidential.client_id : confidential.client_secret),
      approve: () => Promise.resolve(true),
    } as unknown as SignInPrompts;
    await new SignIns({ store: new SharedSignIns().window(), http: trace.http }).of(agentUrl).signIn({ plan, prompts });
    const [{ requestHeaders }] = trace.requests as [SeenExchange];
    assert.deepEqual(
      requestHeaders.filter(([name]) => /^(?:accept|authorization)$/i.test(name)),
      [
        ['accept', 'application/json'],
        ['authorization', 'Basic ••••••'],
      ],
    );
  });

  test('names the browser where the person denies it', async () => {
    server = await openOidcProvider({ registers: false });
    const { report } = await explained(publicClient, { deny: true });
    assert.deepEqual([report.causes[0]?.id, report.causes[0]?.step], ['denied', 'authorization']);
  });

  test('names the redirect address where the browser does not come back', async () => {
    server = await openOidcProvider({ registers: false });
    const { report } = await explained('a-client-that-is-not-known');
    assert.deepEqual([report.causes[0]?.id, report.causes[0]?.step], ['noReturn', 'authorization']);
  });
});
