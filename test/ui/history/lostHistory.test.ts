import * as assert from 'node:assert/strict';
import { existsSync, truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';

suite('a history while an agent works', () => {
  let stage: Stage;
  let userDataDir: string;
  /** The agent says nothing more until this is resolved. */
  let gate = Promise.withResolvers<undefined>();
  suiteSetup(async () => {
    gate.resolve(undefined);
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-lost-'));
    stage = await Stage.open({ userDataDir, pace: () => gate.promise });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });
  const database = (): string => join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench', 'history.db');

  test('that another program holds is told while it is so, and what was sent meanwhile goes out afterwards', async () => {
    const chat = await stage.newChat('Currency');
    const other = new DatabaseSync(database(), { timeout: 10_000 });
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
    await stage.workbench.page.keyboard.press('Escape');
  });

  test('that is cut is told once, with what became of the old file', async () => {
    gate = Promise.withResolvers();
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 10 USD in EUR?');
    await chat.busy();
    truncateSync(database(), 0);
    await stage.workbench.notified(/The history was/);
    gate.resolve(undefined);
    await chat.idle();
    // What is written afterwards goes to the new file, and nobody is told again.
    await chat.send('How much is 20 USD in JPY?');
    await chat.shows(/JPY.*=|= .*JPY|[\d.,]+ JPY/);
    await chat.idle();
    await stage.workbench.command('Notifications: Show Notifications');
    const items = stage.workbench.page.locator('.notifications-center .notification-list-item-message');
    await items.first().waitFor();
    const texts = await items.allInnerTexts();
    await stage.workbench.screenshot('history-lost');
    assert.equal(texts.length, 1, texts.join('\n'));
    // Whether all of it could be saved depends on what was in its log.
    const said = /^The history was deleted.* What was left of the old one is (.+\.lost-[^ ]+)\.$/.exec(texts[0] ?? '');
    assert.ok(said !== null, texts[0]);
    assert.ok(
      ['', '-wal', '-shm'].some(suffix => existsSync(`${said[1]}${suffix}`)),
      said[1],
    );
  });
});
