import * as assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { registerRequestTests } = await import('../../../src/workbench/requests/testing/requestTests.ts');

suite('the Testing view', () => {
  const opened = new EventEmitter<unknown>();
  let made: number;
  let found: readonly unknown[];
  let restore: (() => void)[];
  setup(() => {
    [made, found] = [0, []];
    const none = new EventEmitter<unknown>().event;
    restore = [
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
    const tests = registerRequestTests({} as never);
    opened.fire({ languageId: 'plaintext', uri: { scheme: 'file' } });
    await Promise.resolve();
    assert.equal(made, 0);
    tests.dispose();
    found = [{}];
    const others = registerRequestTests({} as never);
    await eventually(() => assert.equal(made, 1));
    others.dispose();
  });
});
