import * as assert from 'node:assert/strict';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentSignIns } from '../../../src/model/agents/agentSignIns.ts';
import { guardedAgent, type GuardedAgent } from '../../support/auth/guardedAgent.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks, says } from '../../support/client/says.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { signInCommands } = await import('../../../src/workbench/signIn/signInCommands.ts');

suite('identities at one agent', () => {
  const open = new OpenThings();
  let door: GuardedAgent;
  let agents: Agents;
  let signIns: AgentSignIns;
  let all: SignIns;
  /** What the person picks or types, in turn; undefined for Escape. */
  let answers: (string | undefined)[];
  let offered: string[][];
  let told: string[];
  /** Whether each box hid what was typed. */
  let passwords: boolean[];
  let prompts: string[];
  /** What the person was asked in dialogs, and the buttons that they press. */
  let asked: string[];
  let allowed: string[];
  let ask: (name: string) => Promise<void>;
  let restore: () => void;
  setup(async () => {
    ask = async name => void (await (await agents.get(name)!.connect()).call('ListTasks', {}).catch(() => {}));
    [answers, offered, told, passwords, prompts, asked, allowed] = [[], [], [], [], [], [], []];
    restore = inPlaceOf('window', {
      showQuickPick: async (choices: readonly { readonly label: string; readonly description?: string }[]) => {
        offered.push(choices.map(({ label, description = '' }) => `${label.replace(/^\$\([\w-]+\) /, '')} ${description}`.trim()));
        const wanted = answers.shift();
        return wanted === undefined ? undefined : choices.find(({ label }) => label.endsWith(wanted));
      },
      showInputBox: async ({ password = false, prompt }: { readonly password?: boolean; readonly prompt: string }) => {
        passwords.push(password);
        prompts.push(prompt);
        return answers.shift();
      },
      showWarningMessage: async (question: string) => {
        asked.push(question);
        return allowed.shift();
      },
      showInformationMessage: async (text: string) => void told.push(text),
      withProgress: (_options: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) =>
        work({}, { onCancellationRequested: () => {} }),
    });
    const behind = await open.agent({
      ListTasks: [{ answer: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } }],
      SendMessage: [{ answer: { message: says('Hi') } }],
    });
    door = await guardedAgent(behind.url, {
      security: {
        securitySchemes: { main: { httpAuthSecurityScheme: { scheme: 'bearer', description: 'Get it from\n[Bob](command:x).' } } },
        securityRequirements: [{ schemes: { main: { list: [] } } }],
      },
      challenge: 'Bearer',
      allows: ({ headers }) => headers.authorization?.startsWith('Bearer of-') === true,
    });
    const http = open.http();
    const shared = new SharedSignIns();
    all = new SignIns({ http, store: shared.window() });
    signIns = new AgentSignIns({
      isUsed: () => Promise.resolve(shared.text !== undefined),
      load: () => Promise.resolve(all),
      onError: error => assert.fail(String(error)),
    });
    agents = new Agents({ http, signIns });
    agents.configure({ Door: { url: door.url } });
  });
  teardown(async () => {
    restore();
    agents.dispose();
    await door.close();
    await open.close();
  });

  const commandsOf = () =>
    signInCommands({
      agents,
      signIns,
      parts: {
        plan: (card, challenge) => Promise.resolve(signInPlan(card, challenge)),
        redirects: () => assert.fail('no browser is needed'),
        doctor: () => assert.fail('nothing is explained'),
      },
      secrets: { set: () => assert.fail('no passphrase is kept') },
      reports: {} as never,
      meantAgent: () => Promise.resolve(undefined),
      ask: name => ask(name),
    });
  async function signIn(...given: (string | undefined)[]): Promise<boolean> {
    answers = given;
    const done = await commandsOf().signIn(agents.get('Door')!);
    assert.deepEqual(answers, []);
    return done;
  }
  async function sentWith(): Promise<string | undefined> {
    await (await agents.get('Door')!.connect()).call('SendMessage', asks('hi'));
    return door.seen.at(-1)?.headers.authorization;
  }

  test('the first is signed in without a question; one click uses another, which then asks', async () => {
    assert.equal(await signIn('of-ann'), true);
    assert.deepEqual(offered, []);
    assert.deepEqual(passwords, [true]);
    assert.match(prompts[0]!, /^Sent as "Authorization: Bearer …"\. Get it from \[Bob\]/);
    assert.doesNotMatch(prompts[0]!, /\]\(command/);
    assert.equal(await sentWith(), 'Bearer of-ann');
    assert.equal(await signIn('Another Identity…', 'bob', 'of-bob'), true);
    assert.deepEqual(offered.shift(), ['default in use, sign in again', 'Another Identity…']);
    assert.equal(await sentWith(), 'Bearer of-bob');
    // Using another asks for nothing.
    assert.equal(await signIn('default'), true);
    assert.deepEqual(offered.shift(), ['default signed in, use it', 'bob in use, sign in again', 'Another Identity…']);
    assert.equal(told.at(-1), 'Requests to "Door" are signed in as default now.');
    assert.equal(await sentWith(), 'Bearer of-ann');
    assert.equal(await signIn('bob'), true);
    assert.equal(await sentWith(), 'Bearer of-bob');
    // The one in use is signed in anew.
    assert.equal(await signIn('bob', 'of-robert'), true);
    assert.equal(await sentWith(), 'Bearer of-robert');
    assert.deepEqual(await all.identities(door.url), ['default', 'bob']);
  });

  test('a credential that the agent refuses is announced as refused, the next one as what became of it', async () => {
    const ran: unknown[][] = [];
    const back = inPlaceOf('commands', { executeCommand: async (...words: unknown[]) => void ran.push(words) });
    try {
      allowed = ['Sign In…'];
      assert.equal(await signIn('wrong'), true);
      assert.deepEqual([told, asked], [[], ['The credential is stored, but "Door" refused it (HTTP 401).']]);
      assert.equal(agents.get('Door')!.standing.signInRefused, true);
      await Promise.resolve();
      assert.deepEqual(ran.at(-1), ['a2a.signIn', 'Door']);
      assert.equal(await signIn('default', 'of-ann'), true);
      assert.deepEqual(told, ['Signed in to "Door".']);
      ask = async () => {};
      assert.equal(await signIn('default', 'of-bob'), true);
      assert.deepEqual(told.at(-1), 'The credential for "Door" is stored. Its next request is sent with it.');
      assert.equal(asked.length, 1);
    } finally {
      back();
    }
  });

  test('a second one brings the first to the front and opens no other box', async () => {
    const ran: string[] = [];
    let shown = (): void => {};
    const isShown = new Promise<void>(resolve => (shown = resolve));
    let type: (key: string) => void = () => {};
    const typed = new Promise<string>(resolve => (type = resolve));
    let boxes = 0;
    const back = [
      inPlaceOf('commands', { executeCommand: async (id: string) => void ran.push(id) }),
      inPlaceOf('window', {
        showInputBox: () => {
          boxes++;
          shown();
          return typed;
        },
      }),
    ];
    try {
      const commands = commandsOf();
      const first = commands.signIn(agents.get('Door')!);
      await isShown;
      assert.deepEqual(ran, ['workbench.action.focusQuickOpen'], 'the box takes the focus');
      const second = commands.signIn(agents.get('Door')!);
      assert.deepEqual(told, ['A sign-in to "Door" is under way. Finish or cancel it first.']);
      assert.equal(ran.length, 2);
      type('of-ann');
      assert.deepEqual(await Promise.all([first, second]), [true, true]);
      assert.equal(boxes, 1);
      assert.equal(await sentWith(), 'Bearer of-ann');
      // The next one is not held up by those.
      answers = [undefined];
      assert.equal(await commands.signIn(agents.get('Door')!), false);
    } finally {
      for (const each of back) each();
    }
  });

  test('who gives up keeps the sign-in that is used', async () => {
    await signIn('of-ann');
    assert.equal(await signIn(undefined), false);
    assert.equal(await signIn('Another Identity…', undefined), false);
    assert.equal(await signIn('Another Identity…', 'bob', undefined), false);
    assert.deepEqual(await all.identities(door.url), ['default']);
    assert.equal(await sentWith(), 'Bearer of-ann');
  });

  test('an identity that the settings name is not asked for', async () => {
    agents.configure({ Door: { url: door.url, auth: 'carol' } });
    assert.equal(await signIn('of-carol'), true);
    assert.deepEqual(offered, []);
    assert.deepEqual(await all.identities(door.url), ['carol']);
    assert.equal(await sentWith(), 'Bearer of-carol');
    agents.configure({ Door: { url: door.url, auth: 'none' } });
    await assert.rejects(signIn(), { code: 'sign-in-none' });
  });
  test('addresses that a workspace names get the credentials with a yes alone', async () => {
    const entry = { url: door.url, origins: ['http://127.0.0.9:9'] };
    const back = inPlaceOf('workspace', { getConfiguration: () => ({ inspect: () => ({ workspaceValue: { Door: entry } }) }) });
    try {
      agents.configure({ Door: { ...entry, ofWorkspace: true } });
      allowed = ['Do Not Send'];
      assert.equal(await signIn(), false);
      const { origin } = new URL(door.url);
      assert.deepEqual(asked, [`Send your credentials for "Door" to ${origin}?`]);
      allowed = ['Allow', 'Do Not Send'];
      assert.equal(await signIn('of-ann'), true);
      assert.deepEqual(asked.slice(1), [
        `Send your credentials for "Door" to ${origin}?`,
        'Send your credentials for "Door" to http://127.0.0.9:9, too?',
      ]);
      const of = all.of(door.url);
      assert.equal(await of.credentialsFor(new URL('http://127.0.0.9:9/')), undefined);
      assert.ok((await of.credentialsFor(new URL(door.url))) !== undefined);
    } finally {
      back();
    }
  });
});
