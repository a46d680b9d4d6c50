import * as assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ExtensionContext } from 'vscode';
import type { AgentsTree } from '../../../src/workbench/agentsView/agentsTree.ts';
import { Uri } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { open } = await import('../../../src/main.ts');

suite('a history that cannot be opened', () => {
  let folder: string;
  let told: string[];
  let restore: () => void;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'a2a-newer-'));
    told = [];
    restore = inPlaceOf('window', { showErrorMessage: async (text: string) => void told.push(text) });
    const database = new DatabaseSync(join(folder, 'history.db'));
    database.exec('PRAGMA user_version = 9999');
    database.close();
  });
  teardown(async () => {
    restore();
    await rm(folder, { recursive: true, force: true });
  });

  test('is reported with the next step: once when it is found, in the tree for as long as it is so, and by every command', async () => {
    const messages: string[] = [];
    const tree = { showMessage: (text: string) => void messages.push(text) };
    const uri = Uri.file(folder);
    const workbench = await open(
      { globalStorageUri: uri, extensionUri: uri } as unknown as ExtensionContext,
      tree as unknown as AgentsTree,
    );
    const why = /written by a newer version.*Update/;
    assert.deepEqual([messages.length, told.length], [1, 1]);
    for (const text of [...messages, ...told]) assert.match(text, why);
    for (const command of ['a2a.addAgent', 'a2a.openChat'] as const) {
      told.length = 0;
      await workbench.commands[command]();
      assert.equal(told.length, 1, command);
      assert.match(told[0] ?? '', why);
    }
    await assert.rejects(workbench.api('any.extension'), why);
  });
});
