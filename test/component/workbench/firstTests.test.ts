import * as assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { registerConformance } = await import('../../../src/workbench/conformance/register.ts');
const { registerRequestTests } = await import('../../../src/workbench/requests/testing/requestTests.ts');

suite('the Testing view', () => {
  const opened = new EventEmitter<unknown>();
  let made: number;
  let found: readonly unknown[];
  let shown: string[];
  let restore: (() => void)[];
  setup(() => {
    [made, found, shown] = [0, [], []];
    const none = new EventEmitter<unknown>().event;
    restore = [
      inPlaceOf('window', { registerWebviewPanelSerializer: () => ({ dispose: () => {} }) }),
      inPlaceOf('commands', { executeCommand: async (name: string) => void shown.push(name) }),
      inPlaceOf('tests', {
        createTestController: () => {
          made++;
          return { createRunProfile: () => ({ dispose: () => {} }), items: new Map(), dispose: () => {} };
        },
      }),
      inPlaceOf('workspace', {
        findFiles: async () => found,
        onDidOpenTextDocument: opened.event,
        onDidChangeTextDocument: none,
        onDidCloseTextDocument: none,
      }),
    ];
  });
  teardown(() => restore.forEach(back => back()));

  test('has requests from the first request file on', async () => {
    const tests = registerRequestTests({ onFirst: () => {} } as never);
    opened.fire({ languageId: 'plaintext', uri: { scheme: 'file' } });
    await Promise.resolve();
    assert.equal(made, 0);
    tests.dispose();
    found = [{}];
    let firsts = 0;
    const others = registerRequestTests({ onFirst: () => firsts++ } as never);
    await eventually(() => assert.deepEqual([made, firsts], [1, 1]));
    others.dispose();
  });

  test('has conformance rules from the first request, check or look on, and not from a configured agent on', async () => {
    const agents = { all: [{ name: 'Harbour' }], onDidChange: new EventEmitter<unknown>().event };
    const state = { get: () => undefined, update: async () => {} };
    for (const begin of ['requests', 'view'] as const) {
      made = 0;
      const conformance = registerConformance({ agents, state } as never);
      assert.equal(made, 0);
      if (begin === 'requests') conformance.makeTests();
      else await conformance.commands['a2a.openTests']();
      assert.deepEqual([made, shown.length], [1, begin === 'view' ? 1 : 0]);
      conformance.dispose();
    }
  });
});
