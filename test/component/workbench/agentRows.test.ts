import * as assert from 'node:assert/strict';
import { ForeignOriginProblem } from '../../../src/client/http/origin.ts';
import type { Agent } from '../../../src/model/agents/agent.ts';
import { AgentHeaders } from '../../../src/model/agents/agentHeaders.ts';
import type { ContextSummary } from '../../../src/protocol/message/transcript.ts';
import { findingOf, type Finding } from '../../../src/protocol/finding.ts';
import { english, filled, Problem, sentence } from '../../../src/protocol/problem.ts';
import type { Script } from '../../../src/mock/script.ts';
import { eventually } from '../../support/eventually.ts';
import { chunk, fast, first, startWorld, status, task, taskOf, type Window, type World } from '../../support/model/world.ts';
import { at, day, is } from '../store/support/history.ts';
import type { TreeItem } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { ShownTree } from '../../support/shownTree.ts';

const { DebuggedAgents } = await import('../../../src/workbench/agents/debuggedAgents.ts');
const { treeItem } = await import('../../../src/workbench/agentsView/agentTreeItems.ts');
const { tooltip } = await import('../../../src/workbench/agentsView/agentTooltips.ts');
const { filterCommands } = await import('../../../src/workbench/agentsView/filterCommands.ts');
const { relativeTime } = await import('../../../src/workbench/platform/relativeTime.ts');
type Node = Parameters<typeof treeItem>[0];
type AgentNode = Extract<Node, { kind: 'agent' }>;
type TaskNode = Extract<Node, { kind: 'task' }>;

/** An agent that answers and of which nothing else is known but what is given. */
const agentOf = (more: Partial<Agent> = {}): Agent =>
  ({
    url: 'http://127.0.0.1:9',
    reachability: 'reachable',
    review: {},
    settings: {},
    diagnosis: [],
    extensions: [],
    signIn: { kind: 'none' },
    needsSignIn: false,
    standing: {},
    interfaces: { offered: [] },
    ...more,
  }) as unknown as Agent;
const nodeOf = (more?: Partial<Agent>): AgentNode => ({ kind: 'agent', name: 'Ann', agent: agentOf(more) });

interface Row extends TreeItem {
  readonly description: string;
  readonly iconPath: { readonly id: string };
  readonly contextValue: string;
  readonly command?: { readonly command: string; readonly arguments: readonly unknown[] };
  readonly accessibilityInformation: { readonly label: string };
}
const rowOf = (node: Node): Row => treeItem(node) as unknown as Row;

suite('the row of an agent', () => {
  const signed = (verdict: 'valid' | 'invalid' | 'untrusted-key'): Partial<Agent> => {
    const message = sentence('Signed by {0}.', 'Port of Helsinki');
    const key = { signer: 'Port of Helsinki', thumbprint: 'thumb-1' };
    return { review: { signature: { verdict, message, problems: [], signatures: [{ verdict, message, notes: [], key }] } } } as never;
  };

  test('says how an agent of this window misbehaves, and offers it', () => {
    const own = rowOf({ ...nodeOf(), faults: [{ name: 'cut', value: 2 }] });
    assert.match(own.description, /^fault: cut=2 · reachable/);
    assert.match(own.accessibilityInformation.label, /fault: cut=2/);
    assert.match(own.contextValue, /\bown\b/);
    const { value } = tooltip({ ...nodeOf(), faults: [{ name: 'cut', value: 2 }] }) as unknown as { readonly value: string };
    assert.match(value, /Fault[^\n]*cut=2[^\n]*The connection breaks after this event/);
    assert.match(rowOf({ ...nodeOf(), faults: [] }).description, /^reachable/);
    assert.doesNotMatch(rowOf(nodeOf()).contextValue, /\bown\b/);
  });

  test('has no space after a colon that has it in itself', () => {
    const restore = inPlaceOf('l10n', { t: (template: string, ...args: string[]) => filled(template.replace(': ', '：'), args, english) });
    try {
      const { value } = tooltip(nodeOf(signed('valid'))) as unknown as { readonly value: string };
      assert.match(value, /Fingerprint of the key：\*\*thumb-1/);
    } finally {
      restore();
    }
  });

  test('says who signed the card, that it was changed, or that the key is not trusted', () => {
    assert.match(rowOf(nodeOf(signed('valid'))).description, /signed by Port of Helsinki/);
    assert.match(rowOf(nodeOf(signed('invalid'))).description, /^signature does not match · reachable/);
    assert.match(rowOf(nodeOf(signed('untrusted-key'))).description, /signed, not verified/);
    assert.doesNotMatch(rowOf(nodeOf()).description, /sign/);
    const { value } = tooltip(nodeOf(signed('valid'))) as unknown as { readonly value: string };
    assert.match(value, /Signed by Port of Helsinki\.[^]*Fingerprint of the key:\*\* thumb-1/);
  });

  test('says what changed in the card of an agent of the settings, at most three things; its tooltip says all', () => {
    const phrases = ['version changed', 'address https://b.example added', '2 skills added', 'name changed'].map(text => sentence(text));
    const changed = nodeOf({ review: { changes: { phrases } } } as never);
    assert.doesNotMatch(rowOf(changed).description, /changed/);
    const back = inPlaceOf('workspace', {
      getConfiguration: () => ({ get: () => undefined, inspect: () => ({ globalValue: { Ann: { url: 'http://127.0.0.1:9' } } }) }),
    });
    const { description, contextValue } = rowOf(changed);
    const { value } = tooltip(changed) as unknown as { readonly value: string };
    back();
    assert.match(description, /^card changed: version changed, address https:\/\/b\.example added, 2 skills added, … · /);
    assert.match(contextValue, /\bchanged\b/);
    assert.match(value, /version changed, address .*b\.example.* added, 2 skills added, name changed/);
  });

  test('has the faults of the card in its tooltip: their number, the first two, and where all of them are', () => {
    const faults = ['/a', '/b', '/c'].map(pointer => findingOf('CARD-03', pointer, sentence('{0} is missing.', pointer.slice(1))));
    const shown = (findings: Agent['review']['findings']): string =>
      (tooltip(nodeOf({ review: { findings } } as never)) as unknown as { readonly value: string }).value;
    assert.match(shown(faults.slice(0, 1)), /1 problem in the card:\*\* a is missing\. \(CARD-03 \/a\)/);
    assert.match(shown(faults), /3 problems in the card:\*\* "Open Agent Card" shows them all\.[^]*a is missing\.[^]*b is missing\./);
    assert.doesNotMatch(shown(faults), /c is missing/);
    assert.doesNotMatch(shown(undefined), /in the card/);
  });

  test('says how many faults a card has that breaks a MUST, and none of lesser ones', () => {
    const missing = findingOf('CARD-03', '/skills', sentence('{0} is missing.', 'skills'), { times: 2 });
    const lesser = findingOf('CARD-13', '', sentence('{0} is missing.', 'Cache-Control'));
    const row = (...findings: readonly Finding[]): string => rowOf(nodeOf({ review: { findings } } as never)).description;
    assert.match(row(missing, lesser), /^3 problems in the card · reachable/);
    assert.doesNotMatch(row(lesser), /in the card/);
  });

  test('says what its icon does not show before what it shows', () => {
    const chosen = { interface: { url: 'http://127.0.0.1:9', protocolBinding: 'JSONRPC', protocolVersion: '1.0' } } as Agent['chosen'];
    assert.equal(rowOf(nodeOf({ chosen })).description, 'A2A 1.0 · reachable');
    assert.equal(rowOf(nodeOf({ chosen, reachability: 'unreachable' })).description, 'unreachable · A2A 1.0');
    const offered = [{ ...chosen, chosen: false }];
    const words = (more: object): string =>
      (tooltip(nodeOf({ interfaces: { offered }, ...more } as never)) as never as { value: string }).value;
    assert.match(words({ chosen: { ...chosen, reason: sentence('') } }), /Other interfaces:\*\* JSONRPC/);
    assert.match(words({}), /\*\*Interfaces:\*\* JSONRPC/);
  });

  test('says after two minutes how long ago the agent was seen to be reachable; its tooltip says what else was seen, and when', () => {
    const seen = (ago: number, more?: Partial<Agent>): AgentNode =>
      nodeOf({
        standing: { reachableAt: Date.now() - ago, spokeAt: Date.now() - 600_000, spokenVersion: '0.3', signedInAt: Date.now() - 300_000 },
        ...more,
      });
    const signIn = { kind: 'signedIn', identity: 'default' } as Agent['signIn'];
    assert.match(rowOf(seen(119_000)).description, /^reachable$/);
    assert.match(rowOf(seen(200_000)).description, /^checked 3m ago · reachable$/);
    assert.match(rowOf(seen(200_000, { signIn })).description, /^signed in · checked 3m ago$/);
    assert.match(rowOf(seen(200_000, { reachability: 'unreachable' })).description, /^unreachable$/);
    const { value } = tooltip(seen(200_000, { signIn })) as unknown as { readonly value: string };
    assert.match(value, /Last reachable:\*\* 3[^]*Last accepted the sign-in:\*\* 5[^]*Last answered in A2A 0.3:\*\* 10/);
  });

  test('counts the tasks that were listed, beside the number that the agent reports where that is another', () => {
    const listing = { state: 'listed', at: Date.now(), tasks: 7, more: false } as const;
    const words = (more: object): string =>
      (tooltip(nodeOf(), { listing: { ...listing, ...more } }) as unknown as { readonly value: string }).value;
    assert.match(words({}), /Tasks at the agent:\*\* 7 \(listed /);
    assert.match(words({ reported: 10 }), /Tasks at the agent:\*\* 7 listed; the agent reports 10/);
  });

  test('says that a sign-in was refused, whoever is signed in', () => {
    const refused = nodeOf({
      signIn: { kind: 'signedIn', identity: 'default' } as Agent['signIn'],
      needsSignIn: true,
      standing: { signInRefused: true, signedInAt: Date.now() },
    });
    assert.match(rowOf(refused).description, /^sign-in refused$/);
    assert.match(rowOf(refused).contextValue, /\blocked\b/);
    const { value } = tooltip(refused) as unknown as { readonly value: string };
    assert.doesNotMatch(value, /Last accepted the sign-in/);
  });

  test('says that a certificate is not checked, and who is signed in, for how long', () => {
    assert.match(rowOf(nodeOf({ settings: { tls: { rejectUnauthorized: false } } as never })).description, /^certificate not checked · /);
    const locked = rowOf(nodeOf({ needsSignIn: true }));
    assert.equal(locked.description, 'sign in');
    assert.match(locked.contextValue, /\blocked\b/);
    const signIn = { kind: 'signedIn', account: 'alice', identity: 'default', expiresAt: Date.now() + 600_000 };
    const unlocked = rowOf(nodeOf({ signIn: signIn as never }));
    assert.equal(unlocked.description, 'signed in as alice, 10 min left');
    assert.match(unlocked.contextValue, /\bunlocked\b/);
  });

  test('offers to sign in where the card, a refusal or TLS asks for it, and nowhere else', () => {
    const card = { securitySchemes: { key: {} } };
    for (const asking of [
      { needsSignIn: true },
      { signIn: { kind: 'expired' } },
      { challenge: { challenge: 'Bearer', url: 'http://127.0.0.1:9/' } },
      { card },
      { card: undefined, problem: new Problem('tls', sentence('No certificate.')) },
    ])
      assert.match(rowOf(nodeOf(asking as never)).contextValue, /\bsecured\b/, JSON.stringify(asking));
    for (const open of [{}, { card: { securitySchemes: {} } }, { card: undefined }])
      assert.doesNotMatch(rowOf(nodeOf(open as never)).contextValue, /\bsecured\b/, JSON.stringify(open));
  });

  test('says which secret is missing, and is unreachable in words where that is so', async () => {
    const url = 'http://127.0.0.1:9/';
    const settings = { url, headers: { Authorization: 'Bearer {{$secret SAFE_TOKEN}}' } };
    const { configured } = new AgentHeaders('Ann', settings, { secret: async () => undefined } as never);
    const problem = await configured.to(new URL(url)).then(
      () => assert.fail('nothing is missing'),
      (error: unknown) => error as Problem,
    );
    const row = rowOf(nodeOf({ problem }));
    assert.equal(row.description, 'needs the secret SAFE_TOKEN');
    assert.equal(row.iconPath.id, 'key');
    assert.match(row.contextValue, /\bsecret\b/);
    const gone = { reachability: 'unreachable', problem: new Problem('unreachable', sentence('Nothing listens.')) } as const;
    const unreachable = rowOf({ ...nodeOf(gone), sameUrlAs: 'Sooner' });
    assert.equal(unreachable.description, 'unreachable · same address as "Sooner"');
  });

  test('says the mistake in its settings, and leads there; counts what is only odd', () => {
    const mistake = sentence('"url" is missing.');
    const wrong = rowOf({ kind: 'agent', name: 'Adress', agent: undefined, mistakes: { mistake, warnings: [] } });
    assert.equal(wrong.description, '"url" is missing.');
    assert.deepEqual([wrong.command?.command, wrong.command?.arguments], ['a2a.openAgentSettings', ['Adress']]);
    assert.equal(rowOf({ kind: 'agent', name: '', agent: undefined, mistakes: { mistake, warnings: [] } }).label, '(no name)');
    const odd = rowOf({ ...nodeOf(), mistakes: { warnings: [sentence('"header" is not known.')] } });
    assert.match(odd.accessibilityInformation.label, /1 problem with its settings/);
  });

  test('says in its tooltip which interface is used, why, and which others there are', () => {
    const over = (protocolBinding: string, protocolVersion: string): object => ({
      interface: { url: 'http://127.0.0.1:9/', protocolBinding, protocolVersion },
    });
    const chosen = { ...over('GRPC', '1.0'), reason: sentence('Uses GRPC 1.0.') };
    const offered = [
      { ...over('GRPC', '1.0'), chosen: true },
      over('JSONRPC', '1.0'),
      { ...over('GRPC', '0.3'), obstacle: sentence('It is elsewhere.') },
    ];
    const { value } = tooltip(nodeOf({ chosen, interfaces: { offered } } as never)) as unknown as { readonly value: string };
    assert.match(value, /Interface:\*\* Uses GRPC 1\.0\.[^]*Other interfaces:\*\* JSONRPC 1\.0, GRPC 0\.3 \(It is elsewhere\.\)/);
  });

  test('offers to allow the other address that its card names', () => {
    const foreign = rowOf(nodeOf({ problem: new ForeignOriginProblem('https://b.example', 'https://a.example') }));
    assert.match(foreign.contextValue, /\bforeign\b/);
    assert.doesNotMatch(rowOf(nodeOf()).contextValue, /foreign/);
  });
});

suite('the row of a context', () => {
  const parent = nodeOf();
  const context = (more: Partial<ContextSummary>): Node => ({
    kind: 'context',
    parent,
    context: {
      key: 'k',
      agent: 'Ann',
      title: 'Work',
      createdAt: at,
      updatedAt: Date.now(),
      tasks: 1,
      waiting: 0,
      madeBy: 'person',
      ...more,
    },
  });

  test('says when it started, unless another client of the agent began it', () => {
    const words = (madeBy: 'person' | 'agent'): string => (tooltip(context({ madeBy })) as unknown as { readonly value: string }).value;
    assert.match(words('person'), /Started/);
    assert.doesNotMatch(words('agent'), /Started/);
  });

  test('says that its newest task failed', () => {
    const failed = rowOf(context({ newestState: 'TASK_STATE_FAILED' }));
    assert.match(failed.description, /^failed · /);
    assert.equal(failed.iconPath.id, 'error');
    assert.doesNotMatch(rowOf(context({ newestState: 'TASK_STATE_COMPLETED' })).description, /failed|completed/);
    assert.match(rowOf(context({ newestState: 'TASK_STATE_WORKING' })).description, /^working · /);
  });

  test('says how many tasks wait, but of test runs the state alone', () => {
    assert.match(rowOf(context({ waiting: 1, newestState: 'TASK_STATE_INPUT_REQUIRED' })).description, /^waiting · /);
    assert.match(rowOf(context({ waiting: 2, newestState: 'TASK_STATE_INPUT_REQUIRED' })).description, /^2 waiting · /);
    const tested = rowOf(context({ waiting: 1, newestState: 'TASK_STATE_INPUT_REQUIRED', madeBy: 'test' }));
    assert.match(tested.description, /^input required · /);
  });

  test('says how long ago it changed, a minute from a minute on', () => {
    assert.equal(relativeTime(0, 59_999), relativeTime(0, 0));
    assert.notEqual(relativeTime(0, 60_000), relativeTime(0, 0));
  });
});

suite('the row of a task', () => {
  test('says how long ago its state began, and nothing where that is not known', () => {
    const taskRow = (more: object): TaskNode => ({
      kind: 'task',
      parent: undefined as never,
      task: { taskId: 't', context: 'c', state: 'TASK_STATE_COMPLETED', title: 'Book', createdAt: 0, updatedAt: Date.now(), ...more },
    });
    const lastChange = (node: TaskNode): string => (tooltip(node) as unknown as { readonly value: string }).value;
    assert.equal(rowOf(taskRow({})).description, 'completed · now');
    assert.match(lastChange(taskRow({})), /Started[^]*Last change/);
    assert.doesNotMatch(lastChange(taskRow({ createdAt: undefined })), /Started/);
    assert.equal(rowOf(taskRow({ untimed: true })).description, 'completed');
    assert.doesNotMatch(lastChange(taskRow({ untimed: true })), /Last change/);
  });
});

suite('the tree', () => {
  let world: World;
  let window: Window;
  let tree: ShownTree;
  setup(async () => {
    world = await startWorld({ version: '1.0', script: {} });
    window = world.open();
    tree = new ShownTree(window);
  });
  teardown(async () => {
    tree.dispose();
    await world.close();
  });

  /** A context with one task, titled by what the person said first. */
  function write(key: string, text: string, { agent = 'Ann', word = 'COMPLETED', when = Date.now() } = {}): void {
    const message = { messageId: `m-${key}`, role: 'ROLE_USER' as const, parts: [{ text }] };
    window.store.putContext({ key, agent, at: when });
    window.store.record(key, [{ kind: 'message', taskId: key, message }, is(key, word)], { at: when, owner: 'me' });
  }
  const month = 31 * day;

  test('sixty contexts are two pages', async () => {
    for (let number = 1; number <= 60; number++) write(`c${number}`, `Question ${number}`, { when: at + number });
    const ann = await tree.find(/^Ann$/);
    const labels = async (): Promise<readonly string[]> => tree.texts(/^$/, ann);
    assert.match((await labels()).join(), /^Question 60 [^]*,Question 11 [^,]*,Load More…$/);
    await tree.rows.loadMore((await tree.rows.getChildren(ann)).at(-1) as never);
    assert.match((await labels()).join(), /^Question 60 [^]*,Question 1 [^,]*$/);
    assert.equal((await labels()).length, 60);
  });

  test('a message that a language model sent is named in the tooltips of its context and task, and in no others', async () => {
    write('other', 'Own words');
    const key = 'made';
    const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'Made words' }] };
    window.store.putContext({ key, agent: 'Ann', at });
    const assistant = { tool: 'a2a_send', client: 'Test Editor' };
    const { seq } = window.store.own.putMessage(key, message, { at, owner: 'me', assistant });
    window.store.record(key, [is('one', 'COMPLETED')], { at, owner: 'me', answers: seq });
    window.store.record(key, [is('two', 'COMPLETED')], { at: at + 1, owner: 'me' });
    const row = async (label: RegExp, parent?: never): Promise<string> => {
      const node = (await tree.find(label, parent)) as never;
      const { tooltip: shown } = await tree.rows.resolveTreeItem({} as never, node);
      return (shown as unknown as { readonly value: string }).value;
    };
    const ann = (await tree.find(/^Ann$/)) as never;
    const sent = /Sent by a language model \(a2a_send, Test Editor\)/;
    assert.match(await row(/^Made words/, ann), sent);
    assert.doesNotMatch(await row(/^Own words/, ann), sent);
    assert.equal(window.contexts.assistantIn(key, 'one')?.tool, 'a2a_send');
    assert.equal(window.contexts.assistantIn(key, 'two'), undefined);
  });

  test('an agent whose debug session has ended says so, until it runs again', async () => {
    write('old', 'Hello', { agent: 'Pocket' });
    const debugged = new DebuggedAgents();
    const shown = new ShownTree(window, { isEndedSession: name => debugged.isEnded(name) });
    const row = async (): Promise<string | undefined> => (await shown.texts(/^$/)).find(text => text.startsWith('Pocket'));
    debugged.add('Pocket', 'http://localhost:9999');
    assert.equal(await row(), 'Pocket | not configured');
    debugged.remove('Pocket');
    assert.equal(await row(), 'Pocket | debug session ended, press F5');
    debugged.add('Pocket', 'http://localhost:9999');
    assert.equal(await row(), 'Pocket | not configured');
    shown.dispose();
  });

  test('an agent that is not configured has a row, of an address the one to add it', async () => {
    write('old', 'Hello', { agent: 'Old friend' });
    write('bare', 'Hello', { agent: 'localhost:9999' });
    assert.deepEqual((await tree.texts(/^$/)).slice(1).sort(), ['Old friend | not configured', 'localhost:9999 | not configured']);
    const values = async (label: RegExp): Promise<string> => rowOf(await tree.find(label)).contextValue;
    assert.doesNotMatch(await values(/^Old friend/), /address|configured(?<!unconfigured)/);
    assert.match(await values(/^localhost/), /\baddress\b/);
  });

  test('is filtered by text, state and time, and says so', async () => {
    write('one', 'Fresh success');
    write('two', 'Old failure', { word: 'FAILED', when: Date.now() - month });
    const shown = async (): Promise<string> => (await tree.texts(/^$/, await tree.find(/^Ann$/))).join();
    tree.filter.set({ text: 'succ' });
    assert.match(await shown(), /^Fresh success[^,]*$/);
    assert.equal(tree.view.message, 'Filtered: "succ"');
    tree.filter.set({ states: ['TASK_STATE_FAILED'] });
    assert.match(await shown(), /^Old failure[^,]*$/);
    tree.filter.set({ states: ['TASK_STATE_FAILED'], period: 'week' });
    assert.equal(await shown(), '');
    tree.filter.set({});
    assert.match(await shown(), /^Fresh success[^,]*,Old failure[^,]*$/);
    assert.equal(tree.view.message, undefined);
  });

  test('the filter is what is typed, or what is chosen', async () => {
    const fired: Record<string, (value: string) => void> = {};
    const on = (name: string) => (listener: (value: string) => void) => void (fired[name] = listener);
    const pick = {
      items: [] as readonly { readonly label: string }[],
      selectedItems: [] as readonly { readonly label: string }[],
      value: '',
      onDidChangeValue: on('value'),
      onDidAccept: on('accept'),
      onDidHide: on('hide'),
      show: () => {},
      hide: () => fired['hide']?.(''),
      dispose: () => {},
    };
    const back = inPlaceOf('window', {
      createQuickPick: () => pick,
      showQuickPick: async (all: readonly { readonly label: string }[], { canPickMany }: { readonly canPickMany?: boolean }) => {
        const found = all.filter(({ label }) => /\) failed$|7 days/.test(label));
        return canPickMany === true ? found : found[0];
      },
    });
    const { 'a2a.filterTasks': filter } = filterCommands(tree.filter);
    const choose = async (typed: string, label: RegExp): Promise<void> => {
      pick.selectedItems = [];
      const done = filter();
      pick.value = typed;
      fired['value']?.(typed);
      pick.selectedItems = pick.items.filter(item => label.test(item.label)).slice(0, 1);
      fired['accept']?.('');
      await done;
    };
    try {
      await choose('succ', /"succ"/);
      await choose('', /State…/);
      await choose('', /Last change…/);
      assert.deepEqual(tree.filter.choice, { text: 'succ', states: ['TASK_STATE_FAILED'], period: 'week' });
      // Enter may come before the row of what is typed.
      await choose('other', /^$/);
      assert.equal(tree.filter.choice.text, 'other');
      await choose('', /Clear Filter/);
      assert.deepEqual(tree.filter.choice, {});
    } finally {
      back();
    }
  });

  test('is grouped by time', async () => {
    write('one', 'Fresh success');
    write('two', 'Old failure', { word: 'FAILED', when: Date.now() - 2 * month });
    const shown: unknown[] = [];
    const back = inPlaceOf('window', {
      showQuickPick: async (items: readonly { readonly description: string }[]) => {
        shown.push(items.map(({ description }) => description));
        return items[1];
      },
    });
    await tree.grouping.commands['a2a.groupTasks']();
    back();
    assert.deepEqual(shown, [['chosen', '']]);
    assert.match((await tree.texts()).join(), /^Ann,Today,Fresh success [^,]*completed[^,]*,Older,Old failure [^,]*failed/);
  });

  test('a pinned context is first', async () => {
    write('one', 'Old failure', { when: at });
    write('two', 'Fresh success');
    window.contexts.pin([{ context: 'one' }], true);
    assert.match((await tree.texts(/^Ann$/)).join(), /^Ann,Old failure[^,]*,Fresh success/);
    window.contexts.pin([{ context: 'one' }], false);
    assert.match((await tree.texts(/^Ann$/)).join(), /^Ann,Fresh success[^,]*,Old failure/);
  });
  test('two agents of one address are said', async () => {
    const { url } = world.agent;
    window.agents.configure({ Ann: { url }, Bob: { url } });
    await Promise.all(window.agents.all.map(agent => agent.check()));
    const { description } = rowOf(await tree.find(/^Bob$/));
    assert.match(description, /same address as "Ann"/);
  });
});

suite('the tree of an agent at work', () => {
  let world: World;
  let window: Window;
  let tree: ShownTree;
  async function begin(script: Script, timing: Partial<typeof fast> = {}): Promise<void> {
    world = await startWorld({ version: '1.0', script });
    window = world.open({ timing: { ...fast, ...timing } });
    tree = new ShownTree(window);
  }
  teardown(async () => {
    tree.dispose();
    await world.close();
  });

  test('says on both rows that a connection is lost, and when it is tried again', async () => {
    const reset = [{ reset: true }] as const;
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), { delay: 15 }, { reset: true }],
        GetTask: reset,
        SubscribeToTask: reset,
      },
      { firstRetry: 60_000, maxRetryMs: 60_000, giveUp: 600_000 },
    );
    window.contexts.create('Ann').send({ parts: [{ text: 'Draft slowly' }], target: 'new-task' });
    await eventually(async () => {
      const texts = await tree.texts();
      assert.equal(texts.filter(text => /^Draft .*\| connection lost, trying again in \d+ s/.test(text)).length, 2, texts.join());
    });
  });

  test('a task that only the agent has shows with a cloud, and once only', async () => {
    const history = [{ messageId: 'u', role: 'ROLE_USER' as const, parts: [{ text: 'Convert 10 USD' }] }];
    await begin({ ListTasks: [{ answer: { tasks: [taskOf('COMPLETED', { history })], nextPageToken: '', pageSize: 50, totalSize: 1 } }] });
    await window.agents.get('Ann')?.check();
    for (let times = 0; times < 2; times++) await tree.listings.refresh('Ann');
    const listed = await tree.find(/^At the Agent/, await tree.find(/^Ann$/));
    assert.equal((await tree.texts(/^$/, listed)).filter(text => text.startsWith('Convert 10 USD')).length, 1);
    const context = await tree.find(/Convert 10/, listed);
    assert.equal((await tree.texts(/^$/, context)).filter(text => text.startsWith('Convert 10 USD')).length, 1);
    for (const node of [context, await tree.find(/Convert 10/, context)]) assert.equal(rowOf(node).iconPath.id, 'cloud');
  });
  test('says how often an artifact was replaced within its task, and so that it can be compared', async () => {
    const draft = (text: string) => chunk(text, { append: false, lastChunk: true });
    await begin({ SendStreamingMessage: [task('WORKING'), draft('Monday'), draft('Tuesday'), draft('Wednesday'), status('COMPLETED')] });
    await window.contexts.create('Ann').send({ parts: [{ text: 'Draft a plan' }], target: 'new-task' }).done;
    const context = await tree.find(/Draft a plan/, await tree.find(/^Ann$/));
    const row = rowOf(await tree.find(/^a$/, await tree.find(/Draft a plan/, context)));
    assert.deepEqual([row.contextValue, row.description], ['artifact revisions', 'revision 3 of 3']);
  });
});
