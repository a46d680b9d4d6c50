import * as assert from 'node:assert/strict';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts, TypedValue } from '../../../src/auth/signInPrompts.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentSignIns } from '../../../src/model/agents/agentSignIns.ts';
import type { AgentSettings } from '../../../src/model/agents/agentSettings.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { confidential, openOidcProvider, type OidcServer } from '../../support/auth/oidcProvider.ts';
import { securedAgent, type Carried, type SecuredAgent } from '../../support/auth/securedAgents.ts';
import { drain } from '../../support/client/openThings.ts';
import { asks } from '../../support/client/says.ts';

/** A scheme in the words of each generation, what the person types, and how the agent knows them by it. */
interface Way {
  readonly scheme: Readonly<Record<'1.0' | '0.3', object>>;
  readonly typed: Partial<Record<TypedValue['name'], string>>;
  readonly allows: (carried: Carried) => boolean;
}

const basic = `Basic ${Buffer.from('ann:p:ä').toString('base64')}`;
const ways: Readonly<Record<string, Way>> = {
  'an API key in a header': {
    scheme: {
      '1.0': { apiKeySecurityScheme: { location: 'header', name: 'X-Tool-Key' } },
      '0.3': { type: 'apiKey', in: 'header', name: 'X-Tool-Key' },
    },
    typed: { key: 'k-4711' },
    allows: ({ header }) => header('x-tool-key') === 'k-4711',
  },
  'an API key in a cookie': {
    scheme: {
      '1.0': { apiKeySecurityScheme: { location: 'cookie', name: 'tool' } },
      '0.3': { type: 'apiKey', in: 'cookie', name: 'tool' },
    },
    typed: { key: 'k-4711' },
    allows: ({ header }) => header('cookie') === 'tool=k-4711',
  },
  'user name and password': {
    scheme: { '1.0': { httpAuthSecurityScheme: { scheme: 'Basic' } }, '0.3': { type: 'http', scheme: 'basic' } },
    typed: { user: 'ann', password: 'p:ä' },
    allows: ({ header }) => header('authorization') === basic,
  },
  'a token': {
    scheme: { '1.0': { httpAuthSecurityScheme: { scheme: 'bearer' } }, '0.3': { type: 'http', scheme: 'bearer' } },
    typed: { token: 't-4711' },
    allows: ({ header }) => header('authorization') === 'Bearer t-4711',
  },
};
const inQuery: Way = {
  scheme: {
    '1.0': { apiKeySecurityScheme: { location: 'query', name: 'k' } },
    '0.3': { type: 'apiKey', in: 'query', name: 'k' },
  },
  typed: { key: 'k-4711' },
  allows: ({ query }) => query('k') === 'k-4711',
};

suite('agents of the SDK that say in their cards how to sign in', () => {
  let http: Http;
  let agents: Agents;
  let all: SignIns;
  let server: SecuredAgent | undefined;
  let issuer: OidcServer | undefined;
  setup(() => {
    http = new Http({ loadObserver });
    all = new SignIns({ http, store: new SharedSignIns().window() });
    const signIns = new AgentSignIns({
      isUsed: () => Promise.resolve(true),
      load: () => Promise.resolve(all),
      onError: error => assert.fail(String(error)),
    });
    agents = new Agents({ http, signIns, onError: error => assert.fail(String(error)) });
  });
  teardown(async () => {
    agents.dispose();
    await http.close();
    await server?.stop();
    await issuer?.close();
    server = issuer = undefined;
  });

  const prompts = (typed: Way['typed']): SignInPrompts => ({
    chooseOption: ([first]) => Promise.resolve(first),
    chooseFlow: (_scheme, [first]) => Promise.resolve(first),
    type: ({ name }) => Promise.resolve(typed[name]),
    approve: () => Promise.resolve(true),
    certificate: () => assert.fail('no certificate is asked for'),
    openBrowser: () => assert.fail('no browser is needed'),
    showDeviceCode: () => assert.fail('no code is needed'),
    redirects: () => assert.fail('no browser is needed'),
  });
  const securityOf = (generation: '1.0' | '0.3', scheme: object, scopes: readonly string[] = []): object =>
    generation === '1.0'
      ? { securitySchemes: { main: scheme }, securityRequirements: [{ schemes: { main: { list: scopes } } }] }
      : { securitySchemes: { main: scheme }, security: [{ main: scopes }] };

  async function call(more: Partial<AgentSettings> = {}): Promise<string> {
    agents.configure({ Secured: { url: server!.url, origins: server!.origins, ...more } });
    const client = await agents.get('Secured')!.connect();
    const { result } = await client.call('SendMessage', asks('hello'));
    const [part] = 'message' in result ? result.message.parts : [];
    return part !== undefined && 'text' in part ? part.text : '';
  }
  /** How the last refusal was told. */
  let said = '';
  const refused = async (more: Partial<AgentSettings> = {}): Promise<string> => {
    const error: unknown = await call(more).then(
      () => assert.fail('it should have been refused'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Problem, String(error));
    said = error.message;
    return error.code;
  };
  async function signIn(typed: Way['typed'], identity?: string): Promise<void> {
    const { card, addressUrl } = agents.get('Secured')!;
    const plan = signInPlan(card!);
    assert.deepEqual(
      plan.options.map(({ steps }) => steps.map(({ name, unsupported }) => [name, unsupported])),
      [[['main', undefined]]],
    );
    await all.of(addressUrl).signIn({
      plan,
      prompts: prompts(typed),
      origins: server!.origins,
      ...(identity !== undefined && { identity }),
    });
  }

  for (const generation of ['1.0', '0.3'] as const)
    for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const) {
      for (const [what, { scheme, typed, allows }] of Object.entries(ways))
        test(`SDK ${generation} over ${binding}: ${what}`, async () => {
          server = await securedAgent(generation, binding, { security: securityOf(generation, scheme[generation]), allows });
          assert.equal(await refused(), 'unauthorized');
          assert.equal(agents.get('Secured')!.needsSignIn, true);
          await signIn(typed);
          assert.equal(await call(), 'Welcome');
          const client = await agents.get('Secured')!.connect();
          const { items, error } = await drain(client.stream('SendStreamingMessage', asks('hello')));
          assert.deepEqual([error, items.length], [undefined, 1]);
          assert.deepEqual(server.seen, [false, true, true]);
        });

      test(`SDK ${generation} over ${binding}: a program's token, renewed once when it is over`, async () => {
        issuer = await openOidcProvider({ tokenSeconds: 300 });
        const over = new Set<string>();
        const used: string[] = [];
        const tokenUrl = `${issuer.issuer}/token`;
        const flows = { clientCredentials: { tokenUrl, scopes: { 'agents:use': '' } } };
        const scheme = generation === '1.0' ? { oauth2SecurityScheme: { flows } } : { type: 'oauth2', flows };
        server = await securedAgent(generation, binding, {
          security: securityOf(generation, scheme, ['agents:use']),
          allows: ({ header }) => {
            const value = header('authorization');
            if (value === undefined || over.has(value)) return false;
            used.push(value);
            return true;
          },
        });
        assert.equal(await refused(), 'unauthorized');
        await signIn({ 'client-id': confidential.client_id, 'client-secret': confidential.client_secret });
        assert.equal(await call(), 'Welcome');
        // The agent does not take it any more, before it is over by the clock.
        over.add(used[0]!);
        assert.equal(await call(), 'Welcome');
        assert.equal(new Set(used).size, 2);
        assert.deepEqual(server.seen, [false, true, false, true]);
        assert.deepEqual(issuer.grants, ['client_credentials', 'client_credentials']);
      });

      test(`SDK ${generation} over ${binding}: an API key in the query ${binding === 'GRPC' ? 'cannot be sent, and that is said' : ''}`, async () => {
        const { scheme, typed, allows } = inQuery;
        server = await securedAgent(generation, binding, { security: securityOf(generation, scheme[generation]), allows });
        assert.equal(await refused(), 'unauthorized');
        await signIn(typed);
        if (binding === 'GRPC') {
          assert.equal(await refused(), 'grpc-query');
          // Nothing was sent.
          assert.deepEqual(server.seen, [false]);
        } else assert.equal(await call(), 'Welcome');
      });
    }

  test('"auth" in the settings decides who asks: an identity by its name, or nobody', async () => {
    const { scheme } = ways['a token']!;
    server = await securedAgent('1.0', 'JSONRPC', {
      security: securityOf('1.0', scheme['1.0']),
      allows: ({ header }) => header('authorization') === 'Bearer of-alice',
    });
    assert.equal(await refused(), 'unauthorized');
    await signIn({ token: 'of-alice' }, 'alice');
    await signIn({ token: 'of-bob' }, 'bob');
    // Who signed in last asks where the settings name nobody.
    assert.equal(await refused(), 'unauthorized');
    assert.equal(await call({ auth: 'alice' }), 'Welcome');
    assert.equal(await refused({ auth: 'bob' }), 'unauthorized');
    assert.match(said, /^The agent refused the credential that was sent \(HTTP 401\): bearer token of the sign-in "bob"\./);
    assert.equal(await refused({ auth: 'none' }), 'unauthorized');
    assert.match(said, /^The agent requires credentials \(HTTP 401\)/);
    assert.equal(await refused({ auth: 'carol' }), 'sign-in-missing');
    assert.equal(agents.get('Secured')!.needsSignIn, true);
    await all.use(server.url, 'alice');
    assert.equal(await call(), 'Welcome');
  });
});
