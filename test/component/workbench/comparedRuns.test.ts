import * as assert from 'node:assert/strict';
import type { ComparisonPageMessage, ComparisonView } from '../../../src/chat/host/comparisonMessages.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { says, startWorld, task, until, type Window, type World } from '../../support/model/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { ComparisonPages } = await import('../../../src/workbench/compare/comparisonPages.ts');
const { comparedContexts } = await import('../../../src/workbench/compare/comparedContexts.ts');
const { sendTo } = await import('../../../src/workbench/compare/sendTo.ts');
const { secretsToMask } = await import('../../../src/workbench/platform/shownSecrets.ts');
const { ReadOnlyDocuments } = await import('../../../src/workbench/documents/readOnlyDocuments.ts');

interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly picked?: boolean;
}

/** A panel, and what was posted to its page. */
function fakePanel() {
  const [received, disposed, shown] = [new EventEmitter<unknown>(), new EventEmitter<void>(), new EventEmitter<unknown>()];
  const posted: ComparisonView[] = [];
  let isGone = false;
  const panel = {
    title: '',
    visible: true,
    reveal: () => undefined,
    dispose: () => {
      isGone = true;
      disposed.fire();
    },
    onDidDispose: disposed.event,
    onDidChangeViewState: shown.event,
    webview: {
      options: {},
      cspSource: 'x:',
      html: '',
      asWebviewUri: ({ path }: { readonly path: string }) => path,
      onDidReceiveMessage: received.event,
      postMessage: async (message: ComparisonView) => void posted.push(message),
    },
  };
  return {
    panel,
    shown,
    view: (): ComparisonView => posted.at(-1) ?? assert.fail('nothing was shown'),
    post: (message: ComparisonPageMessage) => received.fire(message),
    isGone: () => isGone,
  };
}

suite('compared runs', () => {
  let world: World;
  let other: ScriptedAgent;
  let window: Window;
  let panels: ReturnType<typeof fakePanel>[];
  let pages: InstanceType<typeof ComparisonPages>;
  let kept: Map<string, unknown>;
  let opened: unknown[][];
  let chats: string[];
  let choices: readonly Choice[];
  let choose: (choice: Choice) => boolean;
  let restore: (() => void)[];
  let words: string;
  setup(async () => {
    [panels, kept, opened, chats, choices, words] = [[], new Map(), [], [], [], 'two days'];
    choose = ({ picked }) => picked === true;
    const answer = () =>
      task('COMPLETED', { id: crypto.randomUUID(), contextId: crypto.randomUUID() }, says(crypto.randomUUID(), words)) as never;
    other = scriptedAgent({ version: '0.3', script: { SendStreamingMessage: () => [answer()], SendMessage: () => [answer()] } });
    await other.start();
    world = await startWorld({
      version: '1.0',
      script: { SendStreamingMessage: () => [answer()] },
      card: url => ({
        ...minimalCard(url, '1.0'),
        supportedInterfaces: [
          { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: `${url}smoke`, protocolBinding: 'SMOKE', protocolVersion: '1.0' },
          { url: other.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        ],
      }),
    });
    window = world.open();
    window.agents.configure({ Ann: { url: world.agent.url, origins: [new URL(other.url).origin] }, Bob: { url: other.url } });
    await Promise.all(window.agents.all.map(agent => agent.connect()));
    restore = [
      inPlaceOf('window', {
        createWebviewPanel: () => {
          const made = fakePanel();
          panels.push(made);
          return made.panel;
        },
        showQuickPick: async (items: readonly Choice[]) => {
          choices = items;
          return items.filter(item => choose(item));
        },
      }),
      inPlaceOf('workspace', {
        registerTextDocumentContentProvider: (_: string, provider: typeof texts) => {
          texts = provider;
          return { dispose: () => undefined };
        },
        openTextDocument: async (uri: unknown) => ({ uri, getText: () => '' }),
      }),
      inPlaceOf('commands', { executeCommand: async (...command: unknown[]) => void opened.push(command) }),
    ];
    pages = new ComparisonPages({
      contexts: window.contexts,
      documents: new ReadOnlyDocuments(),
      extensionUri: Uri.file('/extension') as never,
      state: { get: (key: string) => kept.get(key), update: async (key: string, value: unknown) => void kept.set(key, value) } as never,
      openChat: async ({ key }) => void chats.push(key),
    });
  });
  teardown(async () => {
    pages.dispose();
    restore.forEach(back => back());
    await world.close();
    await other.stop();
  });
  let texts: { provideTextDocumentContent(uri: unknown): Promise<string> };

  async function said(text: string, agent = 'Ann'): Promise<AgentContext> {
    const context = window.contexts.create(agent);
    await context.send({ parts: [{ text }], target: 'new-task' }).done;
    return context;
  }
  async function opens(keys: readonly string[]): Promise<ReturnType<typeof fakePanel>> {
    pages.open(keys);
    const page = panels.at(-1)!;
    page.post({ type: 'ready' });
    await eventually(() => page.view());
    return page;
  }
  const differs = ({ turns }: ComparisonView): unknown => turns.map(({ cells }) => cells.map(cell => cell?.differs));

  test('are beside each other with their agents and interfaces, and a turn opens as two texts', async () => {
    const one = await said('How long?');
    words = 'three days';
    const two = await said('How long?', 'Bob');
    const page = await opens([one.key, two.key]);
    const { runs, turns } = page.view();
    assert.deepEqual(
      runs.map(({ agent, title, detail }) => [agent, title, detail.split(' · ')[0]]),
      [
        ['Ann', undefined, 'JSONRPC 1.0'],
        ['Bob', undefined, 'JSONRPC 0.3'],
      ],
    );
    assert.deepEqual(
      turns.map(({ said: text, cells }) => [text, cells.map(cell => [cell?.state, cell?.text])]),
      [
        [
          'How long?',
          [
            ['TASK_STATE_COMPLETED', 'two days'],
            ['TASK_STATE_COMPLETED', 'three days'],
          ],
        ],
      ],
    );
    assert.deepEqual(differs(page.view()), [[[], ['message']]]);
    page.post({ type: 'diff', turn: 0, run: 1 });
    await eventually(() => assert.equal(opened.length, 1));
    const [command, left, right, title] = opened[0]!;
    assert.equal(command, 'vscode.diff');
    assert.match(String(title), /^How long\?: Ann JSONRPC 1\.0 .* ↔ Bob JSONRPC 0\.3 /);
    const [first, second] = await Promise.all([left, right].map(uri => texts.provideTextDocumentContent(uri)));
    assert.match(first!, /"text": "two days"/);
    assert.equal(first!.replace('two days', 'three days'), second);
    page.post({ type: 'open', run: 1 });
    await eventually(() => assert.deepEqual(chats, [two.key]));
  });

  test('a turn that only one of them has opens beside nothing, and the one behind it beside its own', async () => {
    const whole = await said('a');
    words = 'whole b';
    await whole.send({ parts: [{ text: 'b' }], target: 'new-task' }).done;
    words = 'short b';
    const short = await said('b');
    const page = await opens([whole.key, short.key]);
    const titles = page.view().runs.map(({ title }) => title);
    assert.deepEqual(titles, [whole.title, short.title], 'titles that differ');
    const textsOf = async (turn: number): Promise<readonly string[]> => {
      opened = [];
      page.post({ type: 'diff', turn, run: 1 });
      await eventually(() => assert.equal(opened.length, 1));
      return Promise.all([opened[0]![1], opened[0]![2]].map(uri => texts.provideTextDocumentContent(uri)));
    };
    const [, none] = await textsOf(0);
    assert.equal(none, '');
    const [left, right] = await textsOf(1);
    assert.match(left!, /whole b/);
    assert.match(right!, /short b/);
  });

  test('secrets that were used are masked in what is shown', async () => {
    secretsToMask.add('one-secret-word');
    words = 'You sent one-secret-word';
    const page = await opens([(await said('I send one-secret-word')).key, (await said('x')).key]);
    const shown = JSON.stringify(page.view().turns);
    assert.ok(shown.includes('You sent ••') && !shown.includes('one-secret'), shown);
  });

  test('a run that goes on fills in, and the page of the same runs is shown again', async () => {
    const [one, two] = [await said('a'), await said('a')];
    const page = await opens([one.key, two.key]);
    await two.send({ parts: [{ text: 'b' }], target: 'new-task' }).done;
    await eventually(() =>
      assert.deepEqual(
        page.view().turns.map(({ said: text, cells }) => [text, cells.map(cell => cell?.state)]),
        [
          ['a', ['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED']],
          ['b', [undefined, 'TASK_STATE_COMPLETED']],
        ],
      ),
    );
    pages.open([one.key, two.key]);
    assert.equal(panels.length, 1);
  });

  test('what is ignored is chosen for the workspace, on every page', async () => {
    words = 'today at 2026-01-01T10:00:00Z';
    const one = await said('when?');
    words = 'today at 2026-02-02T10:00:00Z';
    const two = await said('when?');
    const page = await opens([one.key, two.key]);
    assert.deepEqual(differs(page.view()), [[[], []]]);
    page.post({ type: 'normalize', normalization: { ...page.view().normalization, times: false, without: ['timestamp'] } });
    await eventually(() => assert.deepEqual(differs(page.view()), [[[], ['message']]]));
    const again = await opens([two.key, one.key]);
    assert.deepEqual(again.view().normalization, { ids: true, times: false, keyOrder: true, tolerance: 0, without: ['timestamp'] });
    kept.set('comparison.normalization', 'nonsense');
    again.post({ type: 'ready' });
    await eventually(() => assert.equal(again.view().normalization.times, true));
  });

  test('come back after a reload with what is still in the history', async () => {
    const [one, two] = [await said('a'), await said('a')];
    window.contexts.delete(two.key);
    const back = fakePanel();
    pages.restore(back.panel as never, { contexts: [one.key, two.key] });
    back.post({ type: 'ready' });
    await eventually(() => assert.deepEqual(back.view().contexts, [one.key]));
    window.contexts.delete(one.key);
    await eventually(() => assert.equal(back.view().runs[0]?.remark, 'This is no longer in the history.'));
    for (const state of [undefined, { contexts: [one.key] }]) {
      const none = fakePanel();
      pages.restore(none.panel as never, state);
      assert.equal(none.isGone(), true);
    }
  });

  test('are those of the selected rows or of a list, two to eight', async () => {
    const contexts = [await said('a'), await said('b'), await said('c', 'Bob')];
    const keys = contexts.map(({ key }) => key);
    const row = (index: number) => ({ kind: 'context', context: { key: keys[index] } });
    const of = (argument: unknown, rows?: unknown, selection: readonly unknown[] = []) =>
      comparedContexts({ argument, rows, selection: selection as never }, window.contexts);
    assert.deepEqual(await of({ contexts: [keys[2], keys[0]] }), [keys[2], keys[0]]);
    assert.deepEqual(await of(row(2), [row(2), row(0)]), [keys[0], keys[2]], 'the oldest is the base');
    choose = ({ label }) => label !== 'b';
    assert.deepEqual(await of(undefined), [keys[0], keys[2]]);
    choose = () => true;
    assert.deepEqual(await of(row(0)), [keys[0], keys[1]], 'with others of its agent');
    assert.deepEqual(await of(row(1)), [keys[0], keys[1]]);
    assert.deepEqual(
      choices.map(({ label, picked }) => [label, picked]),
      [
        ['b', true],
        ['a', false],
      ],
    );
    choose = ({ label }) => label === 'a';
    await assert.rejects(of(undefined), { code: 'too-few' });
    for (let more = 0; more < 6; more++) await said(`more ${more}`);
    choose = () => true;
    await assert.rejects(of(undefined), { code: 'too-many' });
  });

  suite('of one message', () => {
    const posts = (agent: ScriptedAgent) => agent.requests.filter(({ method }) => method === 'POST');
    const textsTo = (agent: ScriptedAgent): unknown[] =>
      posts(agent).map(({ params }) => (params as { readonly message: { readonly parts: unknown } }).message.parts);
    /** Addresses that the secrets of a request were released to. */
    let addresses: readonly string[] | undefined;
    /** Sends a request of a file, or the last message of a chat; resolves with the contexts that are compared. */
    async function sends(what: AgentContext | object): Promise<readonly string[] | undefined> {
      let compared: readonly string[] | undefined;
      const chat = 'key' in what ? (what as AgentContext) : undefined;
      await sendTo(undefined, undefined, {
        agents: window.agents,
        contexts: window.contexts,
        activeChat: () => chat,
        messageOf: async (_, __, choosing) => {
          const file = readRequestFile(JSON.stringify(what));
          return new RequestRuns(window, error => assert.fail(String(error))).message(file.requests[0]!, file, {}, async name => {
            addresses = await choosing(name);
            return addresses;
          });
        },
        compare: keys => (compared = keys),
      });
      for (const key of compared ?? []) await until(() => window.contexts.get(key)?.running === false);
      return compared;
    }
    const request = { agent: 'Ann', headers: { 'X-Own': 'mine' }, variables: { who: 'you' }, message: 'hi {{who}}' };

    test('a request goes to the interfaces of its agent, which are chosen already, each in a new context', async () => {
      const keys = await sends(request);
      assert.deepEqual(
        choices.filter(({ picked }) => picked !== undefined).map(({ label, description, picked }) => [label, description, picked]),
        [
          ['Ann', 'JSONRPC 1.0', true],
          ['Ann', 'JSONRPC 0.3', true],
          ['Bob', 'JSONRPC 0.3', false],
        ],
      );
      assert.equal(new Set(keys).size, 2);
      assert.deepEqual([textsTo(world.agent), textsTo(other)], [[[{ text: 'hi you' }]], [[{ text: 'hi you' }]]]);
      for (const agent of [world.agent, other]) assert.equal(posts(agent)[0]?.headers['x-own'], 'mine');
      const page = await opens(keys!);
      assert.deepEqual(differs(page.view()), [[[], []]]);
    });

    test('headers, tenant and configuration of a request do not go to another agent', async () => {
      choose = ({ label, description }) => description !== undefined && (label === 'Bob' || description === 'JSONRPC 1.0');
      const own = { ...request, tenant: 'acme', configuration: { historyLength: 3 } };
      assert.equal((await sends(own))?.length, 2);
      const [mine, theirs] = [posts(world.agent)[0]!, posts(other)[0]!];
      assert.deepEqual([mine.headers['x-own'], theirs.headers['x-own']], ['mine', undefined]);
      assert.match(JSON.stringify(mine.params), /acme.*historyLength|historyLength.*acme/);
      assert.doesNotMatch(JSON.stringify(theirs.params), /acme|"historyLength":3/);
      assert.deepEqual(textsTo(other), [[{ text: 'hi you' }]]);
    });

    test('secrets are asked about for each address, also those of a card that is read on the way', async () => {
      const origins = [new URL(other.url).origin];
      window.agents.configure({ Ann: { url: world.agent.url, origins }, Cy: { url: `${world.agent.url}?cy`, origins } });
      await window.agents.get('Ann')!.connect();
      choose = ({ label, description }) => label === 'Cy' && description !== undefined;
      await sends(request);
      assert.deepEqual(
        new Set(addresses?.map(url => new URL(url).origin)),
        new Set([world.agent.url, other.url].map(url => new URL(url).origin)),
      );
    });

    test('an address that the agent may not send to is not named for secrets, and gets nothing', async () => {
      addresses = undefined;
      window.agents.configure({ Ann: { url: world.agent.url, headers: { 'X-Key': 'k' } } });
      await window.agents.get('Ann')!.connect();
      choose = ({ description }) => description === 'JSONRPC 0.3';
      await sends(request);
      assert.deepEqual([addresses, posts(other)], [[], []]);
    });

    test('nothing is sent where the person wants no other addresses, or picks more than eight', async () => {
      const settings = { Ann: { url: world.agent.url, headers: { 'X-Key': 'k' } } };
      window.agents.configure(settings);
      await window.agents.get('Ann')!.connect();
      const asked: string[] = [];
      restore.push(
        inPlaceOf('workspace', { getConfiguration: () => ({ inspect: () => ({ globalValue: settings }) }) }),
        inPlaceOf('window', { showWarningMessage: async (question: string) => void asked.push(question) }),
      );
      assert.equal(await sends(request), undefined);
      assert.deepEqual(asked, ['Interfaces of "Ann" are at other addresses. Allow them?']);
      window.agents.configure(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`A${index}`, { url: `${other.url}?${index}` }])));
      choose = ({ description }) => description !== undefined;
      await assert.rejects(sends({ ...request, agent: 'A0' }), { code: 'too-many' });
      assert.deepEqual([posts(world.agent), posts(other)], [[], []]);
    });

    test('the last message of a chat, and none where the person picks none', async () => {
      const chat = await said('How long?');
      choose = () => false;
      assert.equal(await sends(chat), undefined);
      assert.equal(posts(world.agent).length, 1);
      choose = ({ label, description }) => label === 'Bob' && description !== undefined;
      const keys = await sends(chat);
      assert.equal(window.contexts.get(keys?.[0] ?? '')?.agentName, 'Bob');
      assert.deepEqual(textsTo(other), [[{ text: 'How long?' }]]);
      await assert.rejects(sends(window.contexts.create('Ann')), { code: 'no-message' });
    });

    for (const [name, what] of Object.entries({
      'a raw body': { agent: 'Ann', jsonrpc: '2.0', id: 1, method: 'SendMessage', params: {} },
      'a task query': { agent: 'Ann', method: 'GetTask', params: { id: 't' } },
    }))
      test(`${name} is no message`, () => assert.rejects(sends(what), { code: 'no-message' }));
  });
});
