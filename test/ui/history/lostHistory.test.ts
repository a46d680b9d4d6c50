import * as assert from 'node:assert/strict';
import { existsSync, rmSync, truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage } from '../../support/vscode/stage.ts';

const whole = 'The history was deleted or cut while it was in use. All of it was still there, and was written to a new file.';
const aside = /What was left of the old one is (.+\.lost-[^ ]+)\.$/;

const misfortunes: readonly {
  readonly what: string;
  readonly happens: (path: string) => void;
  readonly says: RegExp;
  /** Something of the old file is left, and the notification says where. */
  readonly isAside: boolean;
}[] = [
  { what: 'is deleted, and its log stays', happens: path => rmSync(path), says: new RegExp(`^${whole}`), isAside: true },
  {
    what: 'is deleted with all its files',
    happens: path => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
    },
    says: new RegExp(`^${whole}$`),
    isAside: false,
  },
  {
    what: 'is cut',
    happens: path => truncateSync(path, 0),
    isAside: true,
    says: /^The history was deleted, cut or replaced while it was in use\. Tasks brought over into the one that is there now: \d+; tasks and contexts that are lost or incomplete: \d+\. What is shown may be older until the window is reloaded\./,
  },
];

suite('a history that is lost while an agent works', () => {
  let stage: Stage;
  let userDataDir: string;
  /** The agent says nothing more until this is resolved. */
  let gate = Promise.withResolvers<undefined>();
  suiteSetup(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-lost-'));
    stage = await Stage.open({ userDataDir, pace: () => gate.promise });
  });
  suiteTeardown(async () => {
    await stage.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  /** Every notification that nobody has put away, as it reads. */
  const told = async (): Promise<readonly string[]> => {
    await stage.workbench.command('Notifications: Show Notifications');
    const items = stage.workbench.page.locator('.notifications-center .notification-list-item-message');
    await items.first().waitFor();
    return items.allInnerTexts();
  };

  for (const { what, happens, says, isAside } of misfortunes) {
    test(`and ${what}: that is told once, with what became of the old file`, async () => {
      gate = Promise.withResolvers();
      const chat = await stage.newChat('Currency');
      await chat.send('How much is 10 USD in EUR?');
      await chat.busy();
      happens(join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench', 'history.db'));
      await stage.workbench.notified(/The history was/);
      gate.resolve(undefined);
      await chat.idle();
      // What is written afterwards goes to the new file, and nobody is told again.
      await chat.send('How much is 20 USD in JPY?');
      await chat.shows(/JPY.*=|= .*JPY|[\d.,]+ JPY/);
      await chat.idle();
      const texts = await told();
      await stage.workbench.screenshot('history-lost');
      assert.deepEqual([texts.length, says.test(texts[0] ?? '')], [1, true], texts.join('\n'));
      const left = aside.exec(texts[0] ?? '')?.[1];
      assert.equal(left !== undefined, isAside, texts[0]);
      if (left !== undefined)
        assert.ok(
          ['', '-wal', '-shm'].some(suffix => existsSync(left + suffix)),
          left,
        );
      await stage.workbench.command('Notifications: Clear All Notifications');
      await stage.workbench.page.locator('.notification-list-item').waitFor({ state: 'detached' });
    });
  }
});
