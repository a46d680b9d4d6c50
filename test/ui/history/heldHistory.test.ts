import * as assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';

suite('a history that another program holds', () => {
  let stage: Stage;
  let userDataDir: string;
  suiteSetup(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-held-'));
    stage = await Stage.open({ userDataDir });
  });
  suiteTeardown(async () => {
    await stage.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  test('is told while it is so, and what was sent meanwhile goes out afterwards', async () => {
    const chat = await stage.newChat('Currency');
    const other = new DatabaseSync(join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench', 'history.db'), {
      timeout: 10_000,
    });
    const busy = stage.workbench.notification(/The history is busy/);
    try {
      other.exec('BEGIN EXCLUSIVE');
      await chat.send('How much is 10 USD in EUR?');
      await busy.waitFor();
      await stage.workbench.screenshot('history-held');
      assert.equal(await busy.count(), 1);
      // Whoever goes on elsewhere meanwhile is not taken back to the chat.
      await stage.workbench.page.keyboard.press('F1');
      await stage.workbench.write('>A2A: ');
      other.exec('ROLLBACK');
    } finally {
      other.close();
    }
    await busy.waitFor({ state: 'detached' });
    await chat.shows('How much is 10 USD in EUR?');
    await chat.idle();
    assert.equal(await stage.workbench.quickInput().inputValue(), '>A2A: ');
    await eventually(async () => assert.match(await chat.text(), /EUR/));
    assert.equal(await stage.workbench.notification().count(), 0);
  });
});
