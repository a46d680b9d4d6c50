import * as assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';

suite('chats in tabs after a reload', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open();
  });
  suiteTeardown(() => stage?.close());

  const tabs = (): Promise<string[]> => stage.workbench.page.locator('.part.editor .tab').allInnerTexts();
  const front = (): Promise<string> => stage.workbench.page.locator('.part.editor .tab.active').innerText();

  test('a context whose tab sleeps in the background is shown in that tab', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    // Two of the same title, and a third one: titles alone do not tell which tab is whose.
    for (const text of ['How much is 10 USD?', 'How much is 10 USD?', 'What is 20 EUR in INR?']) {
      const chat = await stage.newChat('Currency');
      await chat.send(text);
      await eventually(async () => assert.match(await front(), new RegExp(text.slice(0, 10))));
      await chat.idle();
    }
    const before = await tabs();
    assert.equal(before.length, 3);
    await workbench.reload();
    await stage.chat('Currency').shows(/20 EUR/);
    await tree.expand('Currency');
    // The newest context is first in the tree, and last among the tabs.
    await tree.item(/20 EUR/).waitFor();
    const alike = workbench.page
      .locator('.part.sidebar .pane')
      .getByRole('treeitem')
      .filter({ hasText: /How much is/ });
    const isInFront = (position: number): Promise<void> =>
      eventually(async () => {
        assert.equal(await workbench.page.locator('.part.editor .tab').nth(position).getAttribute('aria-selected'), 'true');
        assert.deepEqual(await tabs(), before);
      });
    // The newer of the two that have one title, by the keyboard. The tab that is tried first is the other one's.
    await tree.item(/20 EUR/).click();
    await isInFront(2);
    await workbench.focusAgents();
    await workbench.page.keyboard.press('ArrowDown');
    await alike.and(workbench.page.locator('.focused')).waitFor();
    await workbench.page.keyboard.press('Enter');
    await isInFront(1);
    await stage.chat('Currency').shows(/How much is 10/);
    await eventually(async () =>
      assert.equal(
        await workbench.page.evaluate(() => document.activeElement?.closest('.part.sidebar') !== null),
        true,
        'the focus is in the tree',
      ),
    );
    await alike.nth(1).click();
    await isInFront(0);
    await stage.chat('Currency').shows(/How much is 10/);
    // The next reload finds them as they are.
    await workbench.reload();
    await alike.nth(0).click();
    await isInFront(1);
    await eventually(async () => assert.deepEqual(await tabs(), before));
    await workbench.screenshot('restored-tabs');
  });
});
