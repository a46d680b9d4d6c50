import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { steering, turning } from '../../support/controlSequences.ts';
import { eventually } from '../../support/eventually.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { RequestLenses } = await import('../../../src/workbench/requests/requestLenses.ts');

const text = '{ "requests": [{ "name": "one", "message": "x" }, { "name": "two", "message": "y" }] }';
const documentOf = (content: string): never =>
  ({
    uri: { scheme: 'file', toString: () => 'file:///checks.a2a' },
    languageId: 'a2a',
    getText: () => content,
    positionAt: () => ({ line: 0, character: 0 }),
  }) as never;
const document = documentOf(text);
const never = (): { dispose(): void } => ({ dispose: () => {} });

suite('RequestLenses', () => {
  test('asks VS Code to ask anew where it resolves lenses of an earlier answer: it keeps what they say', async () => {
    const restore = inPlaceOf('workspace', { textDocuments: [], fs: { isWritableFileSystem: () => true } });
    const lenses = new RequestLenses({
      sessions: { onDidChange: never, peek: () => undefined },
      agents: { get: () => undefined, find: () => undefined },
      languageContexts: { onDidChange: never, fileOf: () => readRequestFile(text) },
      environments: { of: () => ({ names: [] }) },
    } as never);
    try {
      let asked = 0;
      lenses.onDidChangeCodeLenses(() => {
        asked += 1;
      });
      const earlier = lenses.provideCodeLenses(document);
      const later = lenses.provideCodeLenses(document);
      for (const lens of later) assert.equal(lenses.resolveCodeLens(lens), lens);
      assert.equal(asked, 0);
      for (const lens of earlier) lenses.resolveCodeLens(lens);
      await eventually(() => assert.ok(asked > 0));
      assert.match(JSON.stringify(earlier), /Send Request/);
    } finally {
      lenses.dispose();
      restore();
    }
  });

  test('asks VS Code to ask for a document on show that it never asked for, when a run changes', async () => {
    const change: (() => void)[] = [];
    const restore = inPlaceOf('workspace', { textDocuments: [document], fs: { isWritableFileSystem: () => true } });
    const restoreWindow = inPlaceOf('window', { visibleTextEditors: [{ document }] });
    const lenses = new RequestLenses({
      sessions: {
        onDidChange: (told: () => void) => {
          change.push(told);
          return never();
        },
        peek: () => undefined,
        all: [],
      },
      agents: { get: () => undefined, find: () => undefined },
      languageContexts: { onDidChange: never, fileOf: () => readRequestFile(text) },
      environments: { of: () => ({ names: [] }) },
    } as never);
    try {
      let asked = 0;
      lenses.onDidChangeCodeLenses(() => {
        asked += 1;
      });
      mock.timers.enable({ apis: ['setTimeout'] });
      change[0]?.();
      mock.timers.tick(10_000);
      assert.equal(asked, 1);
      lenses.provideCodeLenses(document);
      change[0]?.();
      mock.timers.tick(10_000);
      assert.equal(asked, 1);
    } finally {
      mock.timers.reset();
      lenses.dispose();
      restoreWindow();
      restore();
    }
  });

  test('shows how long a request has run, and why its task is only polled', () => {
    const entry = { key: 'one' };
    const polling = sentence('The agent ended the stream before the task finished.');
    const run = { entry, running: true, stopping: false, state: 'TASK_STATE_WORKING', startedAt: Date.now() - 47_000, polling };
    const runs = Object.assign(new Map([['one', run]]), { running: true });
    let change = (): void => {};
    const restores = [
      inPlaceOf('workspace', {
        textDocuments: [document],
        fs: { isWritableFileSystem: () => true },
        getConfiguration: () => ({ inspect: () => undefined }),
      }),
      inPlaceOf('window', { visibleTextEditors: [] }),
    ];
    const lenses = new RequestLenses({
      sessions: { onDidChange: (listener: () => void) => ((change = listener), never()), peek: () => ({ runs }), all: [{ runs }] },
      agents: { get: () => undefined, find: () => undefined },
      languageContexts: { onDidChange: never, fileOf: () => readRequestFile(text) },
      environments: { of: () => ({ names: [] }) },
    } as never);
    const titles = (): readonly string[] =>
      lenses.provideCodeLenses(document).flatMap(lens => {
        const { title, arguments: given } = lenses.resolveCodeLens(lens).command!;
        return given?.[1] === 'one' ? [title.replaceAll('\u00a0', ' ')] : [];
      });
    try {
      mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
      assert.deepEqual(titles(), [
        '$(sync~spin) working… 40 s',
        '$(debug-stop) Stop',
        '$(warning) The agent ended the stream before the task finished.',
      ]);
      let asked = 0;
      lenses.onDidChangeCodeLenses(() => void asked++);
      change();
      run.startedAt -= 120_000;
      mock.timers.tick(1_500);
      assert.equal(asked, 1, 'the time goes on without a change of the run');
      assert.equal(titles()[0], '$(sync~spin) working… 2 min');
    } finally {
      mock.timers.reset();
      lenses.dispose();
      for (const restore of restores) restore();
    }
  });

  test('shows three lenses of a request at most, and leads to the others by "…"', async () => {
    const chosen = { interface: { url: 'http://127.0.0.1:9', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, isSupported: true };
    const agent = { name: 'A', interfaces: { offered: [chosen, chosen] } };
    const run = {
      entry: { key: 'one' },
      running: false,
      stopping: false,
      outcome: { startedAt: 0, endedAt: 1 },
      agent,
      chosen,
      contextKey: 'c',
    };
    const picked: string[][] = [];
    const called: unknown[][] = [];
    const restores = [
      inPlaceOf('workspace', {
        textDocuments: [],
        fs: { isWritableFileSystem: () => true },
        getConfiguration: () => ({ get: () => undefined, inspect: () => ({ globalValue: { A: { url: 'http://127.0.0.1:9' } } }) }),
      }),
      inPlaceOf('window', {
        showQuickPick: (items: readonly { label: string }[]) => {
          picked.push(items.map(({ label }) => label.replace(/^\$\(\w+\)\u00a0/, '')));
          return Promise.resolve(items[0]);
        },
      }),
      inPlaceOf('commands', { executeCommand: (...given: unknown[]) => Promise.resolve(void called.push(given)) }),
    ];
    const lenses = new RequestLenses({
      sessions: { onDidChange: never, peek: () => ({ runs: new Map([['one', run]]) }) },
      agents: { get: () => agent, find: () => agent },
      languageContexts: { onDidChange: never, fileOf: () => readRequestFile(text) },
      environments: { of: () => ({ names: [] }) },
    } as never);
    try {
      const ofRequests = lenses
        .provideCodeLenses(document)
        .map(lens => lenses.resolveCodeLens(lens).command!)
        .filter(({ arguments: given }) => given?.[1] !== undefined);
      const titles = (key: string): readonly string[] =>
        ofRequests.filter(({ arguments: given }) => given?.[1] === key).map(({ title }) => title);
      assert.deepEqual([titles('one').length, titles('one').at(-1)], [4, '…']);
      assert.equal(titles('two').length, 2, 'what was not sent has room');
      await lenses.more(document, 'one');
      await lenses.more(document, 'none');
      Object.assign(run.outcome, { snapshot: { result: 'different', name: 'one', came: {} } });
      const third = lenses.resolveCodeLens(lenses.provideCodeLenses(document).at(-4)!).command!;
      assert.deepEqual(
        [third.title, third.command, third.arguments],
        ['Update Snapshot', 'a2a.updateSnapshots', ['file:///checks.a2a', 'one']],
      );
      assert.deepEqual(picked, [['Copy as cURL', 'JSONRPC 1.0', 'Send To…']]);
      assert.deepEqual(called, [['a2a.copyRequest', 'file:///checks.a2a', 'one', 'curl']]);
    } finally {
      lenses.dispose();
      for (const restore of restores) restore();
    }
  });

  test('shows what cards, agents and files say as text: no icon of theirs, nothing that turns it', async () => {
    const hostile = '$(shield) \u202everified\u2066\u001b[31m\n$(check)';
    const offered = ['1.0', '0.3'].map(protocolVersion => ({
      interface: { url: 'http://127.0.0.1:9', protocolBinding: hostile, protocolVersion },
      isSupported: true,
    }));
    const agent = { name: hostile, interfaces: { offered } };
    const problem = new Problem('x', sentence('It says {0}', hostile));
    const run = {
      entry: { key: hostile },
      running: false,
      stopping: false,
      outcome: { problem, startedAt: 0, endedAt: 1 },
      agent,
      chosen: offered[0],
      contextKey: undefined,
    };
    const hostileText = JSON.stringify({
      agent: hostile,
      requests: [
        { name: hostile, message: 'x' },
        { name: 'two', after: hostile, message: 'y' },
      ],
    });
    const inspect = (): object => ({ globalValue: { [hostile]: { url: 'http://127.0.0.1:9' } } });
    const restore = inPlaceOf('workspace', {
      textDocuments: [],
      fs: { isWritableFileSystem: () => true },
      getWorkspaceFolder: () => undefined,
      getConfiguration: () => ({ get: () => undefined, inspect }),
    });
    const lenses = new RequestLenses({
      sessions: { onDidChange: never, peek: () => ({ agent: hostile, runs: new Map([[hostile, run]]) }) },
      agents: { get: () => agent, find: () => agent },
      languageContexts: { onDidChange: never, fileOf: () => readRequestFile(hostileText) },
      environments: { of: () => ({ names: [hostile], name: hostile, production: true }) },
    } as never);
    try {
      const titles = lenses.provideCodeLenses(documentOf(hostileText)).map(lens => lenses.resolveCodeLens(lens).command?.title ?? '');
      const restoreWindow = inPlaceOf('window', {
        showQuickPick: (items: readonly { label: string }[], options: { title: string }) => {
          titles.push(options.title, ...items.map(({ label }) => label));
          return Promise.resolve(undefined);
        },
      });
      await lenses.more(documentOf(hostileText), hostile);
      restoreWindow();
      const theirs = titles.filter(title => title.includes('shield'));
      assert.equal(theirs.length, 6, titles.join('\n'));
      for (const title of theirs) {
        assert.doesNotMatch(title.replace(/^\$\([\w~-]+\)\u00a0/, ''), /\$\(/, title);
        assert.doesNotMatch(title, steering);
        assert.doesNotMatch(title, turning);
      }
    } finally {
      lenses.dispose();
      restore();
    }
  });
});
