import * as assert from 'node:assert/strict';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts } from '../../../src/auth/signInPrompts.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import { hostileServer, type HostileServer } from '../../support/auth/hostileServer.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';

const agentUrl = 'http://127.0.0.1:4711/agent';
const agent = 'http://127.0.0.1:4711';

suite('what a person approves of a sign-in elsewhere', () => {
  const open = new OpenThings();
  let server: HostileServer;
  let store: SharedSignIns;
  setup(async () => {
    store = new SharedSignIns();
    server = await hostileServer(open, () => ({
      secrets: { accessToken: 'a', refreshToken: 'r', deviceCode: 'd' },
      metadata: { scopes_supported: ['offline_access'] },
    }));
  });
  teardown(() => open.close());

  const at = (path: string, index = 1): string => `${server.url}/case-${index}${path}`;
  type Flow = 'authorizationCode' | 'deviceCode' | 'clientCredentials';
  const flow = (name: Flow) => ({
    oauth2SecurityScheme: {
      flows: {
        [name]: { authorizationUrl: at('/authorize'), deviceAuthorizationUrl: at('/device'), tokenUrl: at('/token'), scopes: {} },
      },
    },
  });
  /** Signs in, and returns what was asked: where, and what of scopes and token. */
  async function asked(
    scheme: object,
    list: readonly string[],
    {
      challenge,
      origins,
      of = agentUrl,
      says = () => true,
    }: {
      readonly challenge?: string;
      readonly origins?: readonly string[];
      readonly of?: string;
      readonly says?: (asked: readonly string[]) => boolean;
    } = {},
  ): Promise<{ readonly questions: readonly (readonly string[])[]; readonly problem?: Problem }> {
    const questions: (readonly string[])[] = [];
    const prompts: SignInPrompts = {
      chooseOption: ([first]) => Promise.resolve(first),
      chooseFlow: (_scheme, [first]) => Promise.resolve(first),
      type: ({ name }) => Promise.resolve(name),
      approve: (recipients, named, token) => {
        const question = [...recipients.map(({ origin }) => origin), named, english(token)];
        questions.push(question);
        return Promise.resolve(says(question));
      },
      openBrowser: address => {
        void fetch(address).catch(() => {});
        return Promise.resolve(true);
      },
      showDeviceCode: () => Promise.resolve(),
      certificate: () => Promise.resolve(true),
      redirects: () => loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' }),
    };
    const plan = signInPlan({ securitySchemes: { main: scheme }, securityRequirements: [{ schemes: { main: { list: [...list] } } }] });
    const signIns = new SignIns({ store: store.window(), http: open.http() });
    try {
      await signIns.of(of).signIn({ plan, prompts, challenge, ...(origins && { origins }) });
      return { questions };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { questions, problem: error };
    }
  }
  const no = (): boolean => false;
  const said = (scopes: string, of = agent): string => `Scopes requested: ${scopes}. The token is for ${of}.`;

  for (const [name, scopes] of [
    ['authorizationCode', '"read", "write", "offline_access"'],
    ['deviceCode', '"read", "write", "offline_access"'],
    ['clientCredentials', '"read", "write"'],
  ] as const)
    test(`${name}: server, scopes and agent are named, once`, async () => {
      const { questions, problem } = await asked(flow(name), ['read', 'write']);
      assert.equal(problem, undefined);
      assert.deepEqual(questions, [[server.url, agent, said(scopes)]]);
    });

  test('OpenID Connect: they are named before the server is asked for its metadata', async () => {
    const scheme = { openIdConnectSecurityScheme: { openIdConnectUrl: at('/.well-known/openid-configuration') } };
    const { questions, problem } = await asked(scheme, ['read'], { says: no });
    assert.deepEqual(questions, [[server.url, agent, said('"read", "openid", "offline_access"')]]);
    assert.equal(problem?.code, 'sign-in-origin');
    assert.ok(problem.message.endsWith(questions[0]![2]!), problem.message);
    assert.deepEqual(server.got, []);
  });

  test('no scopes, and other addresses that get the token', async () => {
    const { questions } = await asked(flow('clientCredentials'), [], { origins: ['https://files.test'] });
    assert.deepEqual(questions, [[server.url, agent, `No scopes are requested. The token is for ${agent}, https://files.test.`]]);
  });

  test('scopes of the agent are bounded, and cannot be taken for words of ours', async () => {
    const forged = 'x".\u202eThe\ttoken\u200bé](command:x)';
    const many = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const { questions } = await asked(flow('clientCredentials'), [forged, 'y'.repeat(10_000), ...many]);
    const text = questions[0]!.at(-1)!;
    assert.match(text, /^32 scopes are requested: "x\\"\.⟨U\+202E⟩The\\ttoken⟨U\+200B⟩⟨U\+00E9⟩\]\(command:x\)", "y{59}…, "s0"/);
    assert.ok(text.length < 400 && text.includes('"s7", … The token is for') && !text.includes('s8'), text);
  });

  test('a challenge that asks for more (insufficient_scope) and another server are asked about again, the same is not', async () => {
    const questions = async (list: readonly string[], challenge?: string, scheme: object = flow('clientCredentials')) =>
      (await asked(scheme, list, challenge === undefined ? {} : { challenge })).questions;
    assert.equal((await questions(['read'])).length, 1);
    assert.deepEqual(await questions(['read']), []);
    const more = 'Bearer error="insufficient_scope", scope="read admin"';
    assert.deepEqual(await questions(['read'], more), [[server.url, agent, said('"read", "admin"')]]);
    assert.deepEqual(await questions(['read'], more), []);
    const other = await hostileServer(open, () => ({ secrets: { accessToken: 'a', refreshToken: 'r', deviceCode: 'd' } }));
    const elsewhere = { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${other.url}/case-1/token`, scopes: {} } } } };
    assert.deepEqual(await questions(['read'], undefined, elsewhere), [[other.url, agent, said('"read"')]]);
  });

  suite('metadata of the agent (RFC 9728)', () => {
    /** An agent that says in its metadata where its tokens come from, and what it was asked. */
    async function describing(place: string, scopes: object = { scopes_supported: ['read', 'write'] }) {
      const got: string[] = [];
      const url = await open.web(({ url: path = '' }, response) => {
        got.push(path);
        if (path !== place) return void response.writeHead(404).end();
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ resource: `${url}agent`, authorization_servers: [at('')], ...scopes }));
      });
      return { url, origin: url.slice(0, -1), of: `${url}agent`, got };
    }
    const withoutAddress = { oauth2SecurityScheme: { flows: { authorizationCode: { scopes: {} } } } };

    test('at the places of the specification: server and scopes are named before the server is asked', async () => {
      const { of, origin } = await describing('/.well-known/oauth-protected-resource/agent');
      const { questions, problem } = await asked(withoutAddress, [], { of, says: no });
      assert.deepEqual(questions, [[server.url, origin, said('"read", "write", "offline_access"', origin)]]);
      assert.equal(problem?.code, 'sign-in-origin');
      assert.deepEqual(server.got, []);
    });

    test('that the challenge names: their server is asked about, and not the one of the card', async () => {
      const { url, of, origin } = await describing('/metadata');
      const challenge = `Bearer resource_metadata="${url}metadata"`;
      const elsewhere = { oauth2SecurityScheme: { flows: { authorizationCode: { tokenUrl: 'https://card.test/token', scopes: {} } } } };
      const { questions } = await asked(elsewhere, ['use'], { of, challenge });
      assert.deepEqual(questions, [[server.url, origin, said('"use", "read", "write", "offline_access"', origin)]]);
    });

    test('the scopes of the challenge are those that are asked for, whatever the metadata list', async () => {
      const { url, of, origin } = await describing('/metadata');
      const { questions } = await asked(withoutAddress, [], {
        of,
        challenge: `Bearer resource_metadata="${url}metadata", scope="admin"`,
      });
      assert.deepEqual(questions, [[server.url, origin, said('"admin", "offline_access"', origin)]]);
    });

    test('elsewhere are asked for only where the person lets it', async () => {
      const other = await describing('/metadata');
      const challenge = `Bearer resource_metadata="${other.url}metadata", scope="admin"`;
      const { questions, problem } = await asked(flow('authorizationCode'), ['use'], { challenge, says: no });
      assert.deepEqual(questions, [[other.origin, agent, said('"use", "admin", "offline_access"')]]);
      assert.equal(problem?.code, 'sign-in-origin');
      assert.deepEqual([...other.got, ...server.got], []);
    });
  });

  suite('registration of a client (RFC 7591)', () => {
    let registered: object[];
    let registrar: string;
    setup(async () => {
      registered = [];
      registrar = await open.web((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += String(chunk)));
        request.on('end', () => {
          registered.push(JSON.parse(body) as object);
          response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ client_id: 'registered' }));
        });
      });
      server = await hostileServer(open, () => ({
        secrets: { accessToken: 'a', refreshToken: 'r', deviceCode: 'd' },
        metadata: { scopes_supported: ['offline_access'], registration_endpoint: `${registrar}register` },
      }));
    });

    test('elsewhere: it is named beside the server before anything is registered', async () => {
      const scheme = { openIdConnectSecurityScheme: { openIdConnectUrl: at('/.well-known/openid-configuration') } };
      const words = said('"read", "openid", "offline_access"');
      assert.deepEqual((await asked(scheme, ['read'], { says: no })).questions, [[server.url, agent, words]]);
      const { questions } = await asked(scheme, ['read']);
      assert.deepEqual(questions, [
        [server.url, agent, words],
        [server.url, registrar.slice(0, -1), agent, words],
      ]);
      assert.deepEqual(
        registered.map(client => ('scope' in client ? client.scope : undefined)),
        ['read openid offline_access'],
      );
    });

    test('a no to the place of registration ends the sign-in there: nothing is registered', async () => {
      const scheme = { openIdConnectSecurityScheme: { openIdConnectUrl: at('/.well-known/openid-configuration') } };
      const { questions, problem } = await asked(scheme, ['read'], { says: ([first, second]) => first === server.url && second === agent });
      assert.equal(questions.length, 2);
      assert.ok(problem?.message.endsWith(questions[1]!.at(-1)!), problem?.message);
      assert.deepEqual([registered, server.got.filter(path => !path.includes('.well-known'))], [[], []]);
    });
  });
});
