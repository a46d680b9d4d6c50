import * as assert from 'node:assert/strict';
import type { WebviewPanel } from 'vscode';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { eventually } from '../../support/eventually.ts';
import '../../support/shimmedVscode.ts';
import { startWorld, type World } from '../../support/model/world.ts';

const { ChatPanel } = await import('../../../src/workbench/chat/panel.ts');

type Told = {
  readonly type: string;
  readonly name?: string;
  readonly id?: number;
  readonly result?: { readonly attached?: readonly unknown[] };
  readonly value?: unknown;
};

suite('ChatPanel', () => {
  let world: World;
  teardown(() => world.close());

  test('what is attached while its page is away goes to the next page, once, and not before that has asked for everything', async () => {
    world = await startWorld({ version: '1.0', script: {} });
    const window = world.open();
    const context = window.contexts.create('Ann');
    const told: Told[] = [];
    const received = new EventEmitter<unknown>();
    const changed = new EventEmitter<unknown>();
    const view = {
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
    };
    const show = (visible: boolean): void => {
      view.visible = visible;
      changed.fire(undefined);
    };
    const needs = {
      drafts: { read: async () => undefined, keep: async () => undefined },
      agents: window.agents,
      extensionUri: Uri.file('/'),
      partFiles: {},
    };
    const panel = new ChatPanel(view as unknown as WebviewPanel, context, needs as never);
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
});
