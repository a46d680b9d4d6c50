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
      says = true,
    }: { readonly challenge?: string; readonly origins?: readonly string[]; readonly says?: boolean } = {},
  ): Promise<{ readonly questions: readonly (readonly string[])[]; readonly problem?: Problem }> {
    const questions: (readonly string[])[] = [];
    const prompts: SignInPrompts = {
      chooseOption: ([first]) => Promise.resolve(first),
      chooseFlow: (_scheme, [first]) => Promise.resolve(first),
      type: ({ name }) => Promise.resolve(name),
      approve: (recipients, of, token) => {
        questions.push([...recipients.map(({ origin }) => origin), of, english(token)]);
        return Promise.resolve(says);
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
      await signIns.of(agentUrl).signIn({ plan, prompts, challenge, ...(origins && { origins }) });
      return { questions };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { questions, problem: error };
    }
  }
  const said = (scopes: string): string => `Scopes requested: ${scopes}. The token is for ${agent}.`;

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
    const { questions, problem } = await asked(scheme, ['read'], { says: false });
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
});
