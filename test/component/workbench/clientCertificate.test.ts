import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentSignIns } from '../../../src/model/agents/agentSignIns.ts';
import { SecretOrigins } from '../../../src/model/agents/secretOrigins.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { settingsFile } from '../../../src/request/values/settingsFile.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { CertificateAuthority, encryptedKey, pfx } from '../../support/client/certificates.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks, says } from '../../support/client/says.ts';
import type { TlsInFront } from '../../support/client/tlsInFront.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { configuredAgents } = await import('../../../src/workbench/platform/settings.ts');
const { signInCommands } = await import('../../../src/workbench/signIn/signInCommands.ts');

/** What the person answers, in turn: the label of a choice, a file, a text; undefined for Escape. */
interface Answers {
  readonly form?: string;
  readonly files?: readonly (string | undefined)[];
  readonly passphrase?: string;
}

suite('signing in with a client certificate', () => {
  const open = new OpenThings();
  const authority = new CertificateAuthority('ours');
  const server = authority.issue('server');
  const alice = authority.issue('alice');
  const folder = mkdtempSync(join(tmpdir(), 'a2a-certificate-'));
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const files = {
    ca: file('ca.pem', authority.cert),
    cert: file('alice.pem', alice.cert),
    key: file('alice.key', alice.key),
    locked: file('locked.key', encryptedKey(alice.privateKey, 'open sesame')),
    pfx: file('alice.p12', pfx(alice, 'open sesame')),
  };
  let front: TlsInFront;
  let agents: Agents;
  let entries: Record<string, Record<string, unknown>>;
  let secrets: Map<string, string>;
  let asked: string[];
  let told: string[];
  let restore: (() => void)[] = [];
  suiteTeardown(() => rmSync(folder, { recursive: true }));
  teardown(async () => {
    for (const back of restore.splice(0)) back();
    agents.dispose();
    await open.close();
  });

  /** An agent behind TLS whose card asks for a client certificate, and a window in whose settings it is. */
  async function given(
    { form, files: chosen = [], passphrase }: Answers,
    { cardToAll = true, settings = true }: { readonly cardToAll?: boolean; readonly settings?: boolean } = {},
  ) {
    const behind = await open.agent(
      {
        ListTasks: [{ answer: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } }],
        SendMessage: [{ answer: { message: says('Hi') } }],
      },
      '1.0',
      {
        card: () => ({
          ...minimalCard(front.url, '1.0', 'JSONRPC'),
          securitySchemes: { staff: { mtlsSecurityScheme: { description: 'Card of the staff' } } },
          securityRequirements: [{ schemes: { staff: { list: [] } } }],
        }),
      },
    );
    front = await open.tls(behind.url, {
      key: server.key,
      cert: server.cert,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: !cardToAll,
    });
    [entries, secrets, asked, told] = [{}, new Map(), [], []];
    if (settings) entries['Staff'] = { url: front.url, tls: { ca: files.ca } };
    const left = [...chosen];
    restore = [
      inPlaceOf('workspace', {
        getConfiguration: () => ({
          inspect: () => ({ globalValue: entries }),
          update: async (_name: string, value: typeof entries) => {
            entries = value;
            agents.configure(configuredAgents().agents);
          },
        }),
      }),
      inPlaceOf('window', {
        showQuickPick: async (choices: readonly { readonly label: string }[], { placeHolder }: { readonly placeHolder: string }) => {
          asked.push(placeHolder);
          return choices.find(({ label }) => label === form);
        },
        showOpenDialog: async ({ title }: { readonly title: string }) => {
          asked.push(title);
          const fsPath = left.shift();
          return fsPath === undefined ? undefined : [{ fsPath }];
        },
        showInputBox: async ({ prompt, password }: { readonly prompt: string; readonly password: boolean }) => {
          assert.equal(password, true);
          asked.push(prompt.split(' ', 1)[0]!);
          return passphrase;
        },
        showInformationMessage: async (text: string) => void told.push(text),
        withProgress: (_options: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) =>
          work({}, { onCancellationRequested: () => {} }),
      }),
    ];
    const http = open.http();
    const shared = new SharedSignIns();
    const all = new SignIns({ http, store: shared.window() });
    const signIns = new AgentSignIns({
      isUsed: () => Promise.resolve(shared.text !== undefined),
      load: () => Promise.resolve(all),
      onError: error => assert.fail(String(error)),
    });
    agents = new Agents({
      http,
      signIns,
      values: {
        env: () => undefined,
        secret: async name => secrets.get(name),
        onUse: () => {},
        origins: new SecretOrigins(),
        file: settingsFile,
      },
    });
    agents.configure(configuredAgents().agents);
    const { signIn } = signInCommands({
      agents,
      signIns,
      parts: {
        plan: (card, challenge) => Promise.resolve(signInPlan(card, challenge)),
        redirects: () => assert.fail('no browser is needed'),
        doctor: () => assert.fail('nothing is explained'),
      },
      secrets: { set: async (name, value) => void secrets.set(name, value) },
      reports: {} as never,
      meantAgent: () => Promise.resolve(undefined),
      ask: async name => void (await (await agents.get(name)!.connect()).call('ListTasks', {}).catch(() => {})),
    });
    return { all, shared, signIn: () => signIn(agents.find(settings ? 'Staff' : front.url)) };
  }

  const pem = ['In which form do you have the client certificate?', 'Certificate', 'Private key', 'Passphrase'];
  const one = ['In which form do you have the client certificate?', 'PFX file', 'Passphrase'];
  const secret = 'Staff-certificate';
  const cases: Readonly<Record<string, readonly [answers: Answers, asked: readonly string[], tls: object]>> = {
    'PEM files without a passphrase': [
      { form: 'PEM Files', files: [files.cert, files.key], passphrase: '' },
      pem,
      { certificate: files.cert, key: files.key },
    ],
    'PEM files with a passphrase': [
      { form: 'PEM Files', files: [files.cert, files.locked], passphrase: 'open sesame' },
      pem,
      { certificate: files.cert, key: files.locked, passphrase: `{{$secret ${secret}}}` },
    ],
    'a PFX file': [
      { form: 'PFX File', files: [files.pfx], passphrase: 'open sesame' },
      one,
      { pfx: files.pfx, passphrase: `{{$secret ${secret}}}` },
    ],
  };
  for (const cardToAll of [true, false])
    for (const [what, [answers, questions, tls]] of Object.entries(cases))
      test(`${what}: ${cardToAll ? 'the card asks for it' : 'the server lets nobody in without'}, and requests go with it`, async () => {
        const { all, shared, signIn } = await given(answers, { cardToAll });
        assert.equal(await signIn(), true);
        assert.deepEqual(asked, questions);
        assert.deepEqual(entries['Staff']?.['tls'], { ca: files.ca, ...tls });
        // The passphrase is in the keychain alone.
        assert.deepEqual([...secrets], answers.passphrase === '' ? [] : [[secret, 'open sesame']]);
        assert.equal(JSON.stringify([entries, shared.text]).includes('open sesame'), false);
        const state = await all.state(front.url);
        assert.deepEqual([state.kind, state.kind === 'signedIn' && state.schemes.length], ['signedIn', 1]);
        assert.deepEqual(told, ['Signed in to "Staff".']);
        const agent = agents.get('Staff')!;
        assert.equal(agent.problem?.message, undefined);
        const { result } = await (await agent.connect()).call('SendMessage', asks('hi'));
        assert.ok('message' in result);
        assert.equal(front.clients.at(-1), 'alice');
        // It is not asked for again.
        asked = [];
        assert.equal((await all.of(front.url).state()).kind, 'signedIn');
      });

  for (const [what, answers] of [
    ['the form', {}],
    ['the first file', { form: 'PEM Files' }],
    ['the second file', { form: 'PEM Files', files: [files.cert] }],
    ['the passphrase', { form: 'PFX File', files: [files.pfx] }],
  ] as const)
    test(`who gives up at ${what} is not signed in, and nothing is written`, async () => {
      const { all, signIn } = await given(answers);
      const before = structuredClone(entries);
      assert.equal(await signIn(), false);
      assert.deepEqual([entries, [...secrets], (await all.state(front.url)).kind], [before, [], 'none']);
    });

  test('an agent that is not in the settings says where a certificate is named', async () => {
    const { signIn } = await given({}, { settings: false });
    await assert.rejects(signIn(), (error: unknown) => error instanceof Problem && /tls/.test(String(error.nextStep?.template ?? '')));
  });
});
