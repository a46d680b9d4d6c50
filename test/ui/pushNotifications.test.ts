import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { listTasks, sendText } from '../support/askAgent.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('push notifications', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({
      settings: {
        'workbench.colorTheme': 'Dark Modern',
        'editor.wordWrap': 'on',
        'editor.minimap.enabled': false,
        'workbench.reduceMotion': 'on',
      },
    });
  });
  suiteTeardown(() => stage?.close());
  const status = (): Locator => stage.workbench.page.locator('.statusbar-item[id$="a2a.notificationReceiver"]');
  const count = async (): Promise<number> => Number.parseInt((await status().innerText()).trim(), 10);
  const rows = (text: string | RegExp): Locator =>
    stage.workbench.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: text }).first();

  /** The task row, which is below the row of its context. */
  async function taskMenu(entry: string): Promise<void> {
    const { page } = stage.workbench;
    const row = page.locator('.part.sidebar [role=treeitem][aria-level="3"]').first();
    const item = page.locator('.context-view .monaco-menu .action-item', { has: page.getByRole('menuitem', { name: entry }) });
    await row.click({ button: 'right' });
    await item.hover();
    await item.and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
  }

  test('of a task are received here: they update it, and the status bar counts them', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 10 USD?');
    await tree.item(/How much is.*waiting/).waitFor();
    await tree.expand('Currency');
    await tree.expand(/How much is/);
    assert.equal(await status().count(), 0);
    await taskMenu('Push Notifications…');
    await rows('Receive Push Notifications Here').click();
    await workbench.notified(/"Currency" sends push notifications of this task here/);
    await status().waitFor();
    assert.equal(await count(), 0);
    await workbench.command('Notifications: Clear All Notifications');
    const [task] = await listTasks(stage.agents.urls.Currency);
    // The question is answered by somebody else: no stream of this window tells of it.
    await sendText(stage.agents.urls.Currency, 'INR', task);
    await eventually(async () => assert.ok((await count()) > 0));
    await chat.shows(/rate|INR/);
    await eventually(async () => assert.doesNotMatch(await tree.item(/How much is/).innerText(), /waiting/));
  });

  test('are managed in a quick pick, where a configuration is deleted', async () => {
    const { workbench } = stage;
    await taskMenu('Push Notifications…');
    await rows('received here').waitFor();
    await workbench.page.keyboard.press('Escape');
    // The same from the chat.
    const frame = await stage.chat('Currency').frame();
    await frame.getByRole('tab', { name: 'Tasks' }).click();
    await frame
      .getByRole('button', { name: /More about/ })
      .first()
      .click();
    await frame.getByRole('menuitem', { name: 'Push Notifications…' }).click();
    await rows('received here').waitFor();
    await workbench.page.keyboard.press('Escape');
    await status().click();
    await rows('Show Deliveries').click();
    await rows('HTTP 200').waitFor();
    await workbench.page.keyboard.press('Escape');
    await status().click();
    await rows('Simulate a Failure…').click();
    await rows('HTTP 500, 3 times').waitFor();
    await rows('HTTP 500, 3 times').click();
    await eventually(async () => assert.match(await status().innerText(), /HTTP 500, 3 times/));
    await taskMenu('Push Notifications…');
    const own = rows('received here');
    await own.waitFor();
    await own.hover();
    await own.locator('.action-label[aria-label="Delete Configuration"]').click();
    await rows('The agent has no push notification configuration for this task.').waitFor();
    await workbench.page.keyboard.press('Escape');
    await status().waitFor({ state: 'detached' });
  });

  test('whose receiver ended with the window are told of after a reload, and can be received again and stopped', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 77 USD?');
    await tree.item(/1 waiting/).waitFor();
    await chat.idle();
    await workbench.command('A2A: Push Notifications…');
    await rows('Receive Push Notifications Here').click();
    await status().waitFor();
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.reload();
    await stage.tree();
    const told = await workbench.notified(/Push notifications for a task of "Currency" ended/);
    assert.equal(await status().count(), 0);
    await told.getByRole('button', { name: 'Receive Again' }).click();
    await status().waitFor();
    await status().click();
    await rows('Stop Receiving').click();
    await status().waitFor({ state: 'detached' });
  });
});
