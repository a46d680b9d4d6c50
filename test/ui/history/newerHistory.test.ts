import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unrelatedBuiltins } from '../../../scripts/builtinExtensions.ts';
import { launchWorkbench, type Workbench } from '../../support/vscode/workbench.ts';

suite('a history that cannot be opened', () => {
  let workbench: Workbench;
  let userDataDir: string;
  suiteSetup(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-newer-'));
    const storage = join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench');
    await mkdir(storage, { recursive: true });
    const database = new DatabaseSync(join(storage, 'history.db'));
    database.exec('PRAGMA user_version = 9999');
    database.close();
    workbench = await launchWorkbench({ userDataDir, withoutBuiltins: unrelatedBuiltins });
  });
  suiteTeardown(async () => {
    await workbench.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  test('is told with the next step: once when it is found, in the tree, and by every command', async () => {
    const why = /written by a newer version.*Update/;
    await workbench.view('A2A', 'Agents');
    await workbench.notification(why).waitFor();
    await workbench.page.locator('.part.sidebar .message', { hasText: why }).waitFor();
    assert.equal(await workbench.notification().count(), 1);
    await workbench.notification(why).hover();
    await workbench.notification(why).locator('.codicon-notifications-clear').click();
    await workbench.notification().waitFor({ state: 'detached' });
    await workbench.command('A2A: Add Agent…');
    await workbench.notification(why).waitFor();
    assert.equal(await workbench.notification().count(), 1);
    await workbench.screenshot('history-unopened');
  });
});
