import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { readEnvironments } from '../../../src/request/environment/environments.ts';
import { noDefaults } from '../../../src/request/file/folderDefaults.ts';
import { emptyLanguageContext } from '../../../src/request/language/languageContext.ts';
import type { Around } from '../../../src/workbench/requests/values/fileEnvironments.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { shownProblems } = await import('../../../src/workbench/requests/language/shownProblems.ts');
const { requestAsCurl } = await import('../../../src/workbench/requests/requestExports.ts');
const { functionHostFor } = await import('../../../src/workbench/requests/values/workbenchValueSources.ts');
const { EnvironmentStatus } = await import('../../../src/workbench/requests/sending/environmentStatus.ts');
const { FileEnvironments } = await import('../../../src/workbench/requests/values/fileEnvironments.ts');

suite('environments of request files', () => {
  const uri = { scheme: 'file', fsPath: '/w/a.a2a', path: '/w/a.a2a' } as never;
  const quiet = new EventEmitter<unknown>();
  let restore: () => void;
  let onDisk: EventEmitter<unknown>;
  setup(() => {
    onDisk = new EventEmitter();
    restore = inPlaceOf('workspace', {
      isTrusted: true,
      getWorkspaceFolder: () => undefined,
      onDidGrantWorkspaceTrust: quiet.event,
      createFileSystemWatcher: () => ({
        onDidCreate: quiet.event,
        onDidChange: onDisk.event,
        onDidDelete: quiet.event,
        dispose: () => {},
      }),
    });
  });
  teardown(() => restore());

  const around = (name: string): Around => ({
    environments: readEnvironments([{ path: 'a2a.env.json', text: JSON.stringify({ [name]: {} }), isPrivate: false } as never]),
    defaults: noDefaults,
  });

  for (const [what, ask] of [
    ['as an editor asks', 'of'],
    ['as a sending asks', 'read'],
  ] as const)
    test(`what was read before a file changed does not stay, ${what}`, async () => {
      const readings: ((of: Around) => void)[] = [];
      const environments = new FileEnvironments({ get: () => undefined } as never, () => new Promise(resolve => readings.push(resolve)));
      const asked = environments[ask](uri);
      assert.equal(readings.length, 1);
      onDisk.fire(undefined);
      // A view asks again when it hears of the change, and the slower reading of what was there before ends last.
      environments.of(uri);
      assert.equal(readings.length, 2);
      readings[1]?.(around('new'));
      await eventually(() => assert.deepEqual(environments.of(uri).names, ['new']));
      readings[0]?.(around('old'));
      await eventually(() => assert.equal(readings.length, 3));
      readings[2]?.(around('new'));
      if (ask === 'read') assert.deepEqual((await asked).names, ['new']);
      await eventually(() => assert.deepEqual(environments.of(uri).names, ['new']));
    });

  test('a link out of the folder is not read', async () => {
    const outer = mkdtempSync(join(tmpdir(), 'a2a-env-'));
    const root = join(outer, 'workspace');
    mkdirSync(root);
    writeFileSync(join(outer, 'outside.json'), JSON.stringify({ $shared: { town: 'Oslo' } }));
    symlinkSync(join(outer, 'outside.json'), join(root, 'a2a.private.env.json'));
    const file = { scheme: 'file', fsPath: join(root, 'a.a2a'), path: join(root, 'a.a2a') } as never;
    try {
      await assert.rejects(new FileEnvironments({ get: () => undefined } as never).read(file), { code: 'file-outside' });
    } finally {
      rmSync(outer, { recursive: true });
    }
  });

  test('in a workspace that is not trusted nothing is read: no environment, no variable, no card, and no name is called wrong', async () => {
    const back = inPlaceOf('workspace', { isTrusted: false });
    let reads = 0;
    let connections = 0;
    const environments = new FileEnvironments({ get: () => undefined } as never, async () => {
      reads++;
      return around('x');
    });
    const file = readRequestFile('{ "agent": "Ann", "variables": { "own": "{{$env HOME}}" }, "message": "{{own}} {{town}}" }');
    try {
      assert.deepEqual((await environments.read(uri)).names, []);
      assert.equal(environments.around(uri), undefined);
      assert.equal(reads, 0);
      assert.equal(functionHostFor(uri, {} as never).sources, undefined);
      const called = (of: typeof file): boolean => of.problems.some(({ code }) => code === 'unknown-name');
      assert.ok(called(file));
      const languageContexts = { of: () => ({ file, context: emptyLanguageContext }) } as never;
      const problems = shownProblems(languageContexts, { languageId: 'a2a', uri } as never);
      assert.ok(!called({ ...file, problems }));
      const url = 'http://127.0.0.1:9';
      const agent = { name: 'Ann', url, settings: { url }, interfaces: { offered: [] }, connect: async () => connections++ };
      const own = readRequestFile('{ "agent": "Ann", "variables": { "own": "{{$env HOME}}" }, "message": "{{own}}" }');
      const scope = { file: own, functions: functionHostFor(uri, {} as never), result: () => undefined };
      await assert.rejects(requestAsCurl(own.requests[0]!, scope as never, { find: () => agent } as never, undefined), {
        code: 'untrusted',
      });
      assert.equal(connections, 0);
    } finally {
      back();
    }
  });
});

suite('the environment in the status bar', () => {
  test('is that of the request file in front, red where it is production, and gone elsewhere', () => {
    const item = {
      text: '',
      backgroundColor: undefined as { readonly id: string } | undefined,
      isShown: false,
      show: () => void (item.isShown = true),
      hide: () => void (item.isShown = false),
      dispose: () => undefined,
    };
    const [active, changed, opened] = [new EventEmitter<unknown>(), new EventEmitter<unknown>(), new EventEmitter<unknown>()];
    const window = {
      activeTextEditor: { document: { languageId: 'a2a', uri: { scheme: 'file', path: '/w/a.a2a' } } },
      createStatusBarItem: () => item,
      onDidChangeActiveTextEditor: active.event,
    };
    const restore = [
      inPlaceOf('window', window),
      inPlaceOf('workspace', { onDidOpenTextDocument: opened.event, fs: { isWritableFileSystem: () => true } }),
    ];
    let environment = { name: 'dev', production: false };
    const status = new EnvironmentStatus({ of: () => environment, onDidChange: changed.event } as never);
    const shown = (): unknown[] => [item.isShown, item.text, item.backgroundColor?.id];
    assert.deepEqual(shown(), [true, '$(server-environment) dev', undefined]);
    environment = { name: 'prod', production: true };
    changed.fire(undefined);
    assert.deepEqual(shown(), [true, '$(server-environment) prod (production)', 'statusBarItem.errorBackground']);
    restore.push(inPlaceOf('window', { activeTextEditor: undefined }));
    active.fire(undefined);
    assert.equal(item.isShown, false);
    status.dispose();
    restore.forEach(back => back());
  });
});
