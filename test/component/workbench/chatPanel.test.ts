import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { WebviewPanel } from 'vscode';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { eventually } from '../../support/eventually.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import type { Step } from '../../../src/mock/script.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { startWorld, type World } from '../../support/model/world.ts';

const { ChatPanel } = await import('../../../src/workbench/chat/panel.ts');

type Told = {
  readonly type: string;
  readonly name?: string;
  readonly id?: number;
  readonly result?: { readonly attached?: readonly unknown[]; readonly state?: { readonly checked: string } };
  readonly value?: unknown;
};

const viewOf = (told: Told[], received: EventEmitter<unknown>, changed = new EventEmitter<unknown>()) => ({
  title: '',
  visible: true,
  active: true,
  reveal: () => undefined,
  dispose: () => undefined,
  onDidDispose: new EventEmitter<void>().event,
  onDidChangeViewState: changed.event,
  webview: {
    options: {},
    cspSource: 'x:',
    html: '',
    asWebviewUri: ({ path }: { readonly path: string }) => path,
    onDidReceiveMessage: received.event,
    postMessage: async (message: Told) => told.push(message),
  },
});
const needsOf = (agents: unknown) => ({
  drafts: { read: async () => undefined, keep: async () => undefined },
  agents,
  extensionUri: Uri.file('/'),
  partFiles: {},
});

suite('ChatPanel', () => {
  let world: World;
  teardown(() => world.close());

  test('an answer completes a step of the walkthrough, a refused message does not', async () => {
    const answers: readonly (readonly Step[])[] = [
      [{ error: { code: -32603, message: 'no' } }],
      [{ event: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] } } }],
    ];
    let sent = 0;
    world = await startWorld({ version: '1.0', script: { SendStreamingMessage: () => answers[sent++]! } });
    const window = world.open();
    const context = window.contexts.create('Ann');
    const ran: unknown[] = [];
    const restore = inPlaceOf('commands', { executeCommand: async (...given: unknown[]) => void ran.push(given) });
    const panel = new ChatPanel(viewOf([], new EventEmitter()) as unknown as WebviewPanel, context, needsOf(window.agents) as never);
    const send = async (): Promise<unknown> => context.send({ parts: [{ text: 'Hello' }], target: 'new-task', streaming: true }).done;
    try {
      await send();
      assert.deepEqual(ran, []);
      await send();
      assert.deepEqual(ran, [
        ['setContext', 'a2a.answerReceived', true],
        ['setContext', 'a2a.answerReceived', false],
      ]);
    } finally {
      restore();
      panel.dispose();
    }
  });

  test('what is attached while its page is away goes to the next page, once, and not before that has asked for everything', async () => {
    world = await startWorld({ version: '1.0', script: {} });
    const window = world.open();
    const context = window.contexts.create('Ann');
    const told: Told[] = [];
    const received = new EventEmitter<unknown>();
    const changed = new EventEmitter<unknown>();
    const view = viewOf(told, received, changed);
    const show = (visible: boolean): void => {
      view.visible = visible;
      changed.fire(undefined);
    };
    const panel = new ChatPanel(view as unknown as WebviewPanel, context, needsOf(window.agents) as never);
    const page = async (id: number): Promise<Told> => {
      received.fire({ type: 'request', id, name: 'ready', params: null });
      return eventually(async () => {
        const answer = told.find(message => message.id === id);
        assert.ok(answer !== undefined);
        return answer;
      });
    };
    const attached = (): number => told.filter(({ name }) => name === 'attached').length;
    await page(1);
    await eventually(async () => assert.ok(told.some(({ name }) => name === 'state')));

    show(false);
    panel.attach([{ data: '{}' } as never]);
    show(true);
    assert.deepEqual((await page(2)).result?.attached, [{ data: '{}' }]);
    assert.equal(attached(), 0);
    panel.attach([{ data: '[]' } as never]);
    await eventually(async () => assert.equal(attached(), 1));
    panel.dispose();
  });

  test('however much is in its entries, the page is told a bounded part of it, and the host copies the whole', async () => {
    world = await startWorld({ version: '1.0', script: {} });
    const window = world.open();
    const context = window.contexts.create('Ann');
    const text = 'plain words '.repeat(100_000);
    const say = (index: number): void => {
      const message: Message = { messageId: `m${index}`, role: 'ROLE_AGENT', parts: [{ text: `${index} ${text}` }, { data: [text] }] };
      window.store.record(context.key, [{ kind: 'message', message }], { at: index, owner: 'o' });
    };
    for (let index = 0; index < 6; index++) say(index);
    const told: Told[] = [];
    const received = new EventEmitter<unknown>();
    const panel = new ChatPanel(viewOf(told, received) as unknown as WebviewPanel, context, needsOf(window.agents) as never);
    const ask = async (id: number, name: string, params: unknown): Promise<Told> => {
      received.fire({ type: 'request', id, name, params });
      return eventually(() => {
        const answer = told.find(message => message.id === id);
        assert.ok(answer !== undefined);
        return answer;
      });
    };
    const [first, second] = context.entries().items;
    const asked = [
      await ask(1, 'ready', null),
      await ask(2, 'older', { before: second!.seq + 1 }),
      await ask(3, 'newer', { after: first!.seq }),
      await ask(4, 'around', { seq: second!.seq }),
    ];
    say(6);
    context.catchUp();
    const updates = await eventually(() => {
      const all = told.filter(({ name }) => name === 'updates');
      assert.equal(all.flatMap(({ value }) => value as readonly unknown[]).length, 7, 'all come, over several messages');
      return all;
    });
    for (const message of [...asked, ...updates]) {
      const { length } = JSON.stringify(message);
      assert.ok(length > 500_000 && length < 2_300_000, `${message.id ?? message.name}: ${length}`);
    }
    const copied: string[] = [];
    const back = inPlaceOf('env', { clipboard: { writeText: async (words: string) => void copied.push(words) } });
    try {
      await ask(5, 'copyWhole', { seq: first!.seq });
      await ask(6, 'copyWhole', { seq: first!.seq, part: 1 });
    } finally {
      back();
    }
    assert.deepEqual(copied, [`0 ${text}`, JSON.stringify([text], null, 2)]);
    panel.dispose();
  });

  test('its header says when the agent was last reachable, and says it anew each minute while it is on screen', async () => {
    world = await startWorld({ version: '1.0', script: {} });
    const window = world.open();
    const context = window.contexts.create('Ann');
    await context.agent?.connect();
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() + 100_000 });
    try {
      const told: Told[] = [];
      const [received, changed] = [new EventEmitter<unknown>(), new EventEmitter<unknown>()];
      const view = viewOf(told, received, changed);
      const panel = new ChatPanel(view as unknown as WebviewPanel, context, needsOf(window.agents) as never);
      received.fire({ type: 'request', id: 1, name: 'ready', params: null });
      while (!told.some(({ id }) => id === 1)) await new Promise(setImmediate);
      assert.equal(told.find(({ id }) => id === 1)?.result?.state?.checked, '');
      const states = (): readonly unknown[] =>
        told.flatMap(({ name, value }) => (name === 'state' ? [(value as { readonly checked: string }).checked] : []));
      const minute = (): void => {
        mock.timers.tick(60_000);
        // What changed is posted after a pause.
        mock.timers.tick(100);
      };
      minute();
      assert.equal(states().at(-1), 'checked 2m ago');
      view.visible = false;
      changed.fire(undefined);
      const before = states().length;
      minute();
      assert.equal(states().length, before);
      panel.dispose();
    } finally {
      mock.timers.reset();
    }
  });
});
