import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noDefaults } from '../../../src/request/file/folderDefaults.ts';
import { noValues } from '../../../src/request/text/value.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { ImportedFiles } = await import('../../../src/workbench/requests/values/importedFiles.ts');

const uriOf = (fsPath: string) => ({ scheme: 'file', fsPath, path: fsPath, toString: () => `file://${fsPath}` });

suite('files that a document imports', () => {
  let root: string;
  let restore: () => void;
  let onDisk: EventEmitter<unknown>;
  let typed: EventEmitter<unknown>;
  let open: { uri: ReturnType<typeof uriOf>; getText: () => string }[];
  setup(() => {
    root = mkdtempSync(join(tmpdir(), 'a2a-imports-'));
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub/values.a2a'), '{ "message": "x", "agent": "A", "variables": { "one": 1 } }');
    [onDisk, typed, open] = [new EventEmitter(), new EventEmitter(), []];
    const folder = { uri: uriOf(root), name: 'w', index: 0 };
    restore = inPlaceOf('workspace', {
      isTrusted: true,
      textDocuments: open,
      getWorkspaceFolder: () => folder,
      workspaceFolders: [folder],
      onDidChangeTextDocument: typed.event,
      createFileSystemWatcher: () => ({
        onDidCreate: onDisk.event,
        onDidChange: onDisk.event,
        onDidDelete: new EventEmitter().event,
        dispose: () => {},
      }),
    });
  });
  teardown(() => {
    restore();
    rmSync(root, { recursive: true });
  });

  const environment = { names: [], production: false, values: noValues, headers: [], defaults: noDefaults };
  const made = () => new ImportedFiles({ of: () => environment, read: async () => environment } as never);
  const documentOf = (content: object, version = 1) =>
    ({ uri: uriOf(join(root, 'main.a2a')), languageId: 'a2a', version, getText: () => JSON.stringify(content) }) as never;
  const content = { import: 'sub/values.a2a', agent: 'A', message: '{{one}}' };

  test('are read once, and again when they change, on disk or in the editor', async () => {
    const files = made();
    let changes = 0;
    files.onDidChange(() => changes++);
    const document = documentOf(content);
    assert.deepEqual([...files.parse(document).imported.keys()], []);
    await eventually(() => assert.equal(changes, 1));
    const file = files.parse(document);
    assert.deepEqual([...file.imported.keys()], ['one']);
    assert.equal(files.parse(document), file);
    assert.equal((await files.read(document)).file, file);

    writeFileSync(join(root, 'sub/values.a2a'), '{ "message": "x", "agent": "A", "variables": { "two": 1 } }');
    onDisk.fire(uriOf(join(root, 'other.a2a')));
    assert.equal(files.parse(document), file);
    onDisk.fire(uriOf(join(root, 'sub/values.a2a')));
    assert.deepEqual([...(await files.read(document)).file.imported.keys()], ['two']);

    open.push({ uri: uriOf(join(root, 'sub/values.a2a')), getText: () => '{ "message": "x", "agent": "A", "variables": { "three": 1 } }' });
    typed.fire({ document: open[0] });
    assert.deepEqual([...(await files.read(document)).file.imported.keys()], ['three']);
    assert.deepEqual([...(await files.read(documentOf({ agent: 'A', message: 'x' }, 2))).file.imported.keys()], []);
    files.dispose();
  });

  test('are not read in a workspace that is not trusted, nor outside of it, and none of its names is called wrong then', async () => {
    const files = made();
    const back = inPlaceOf('workspace', { isTrusted: false });
    assert.deepEqual(files.parse(documentOf(content)).problems, []);
    back();
    const outside = (await files.read(documentOf({ ...content, import: '../values.a2a' }, 2))).file;
    assert.deepEqual(
      outside.problems.map(({ code, sentence }) => [code, sentence.template]),
      [['bad-import', 'The file {0} is outside {1}, so it was not read.']],
    );
    files.dispose();
  });
});
