import * as assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

suite('compared runs in the workbench', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ withAgents: ['Currency'], settings: { 'workbench.colorTheme': 'Dark Modern' } });
  });
  suiteTeardown(() => stage?.close());

  const page = () => webviewFrame(stage.workbench.page, 'h1:text-is("Compared Runs")');

  test('a person sends a message to both interfaces of an agent, sees both runs, opens a turn, and has the page after a reload', async () => {
    const { workbench } = stage;
    const chat = await stage.newChat('Currency');
    await chat.send('Convert 10 USD to INR');
    await chat.idle();
    await workbench.command('A2A: Send To…');
    const list = workbench.page.locator('.quick-input-widget:visible');
    await list.getByText('Send “Convert 10 USD to INR” To').waitFor();
    // Both interfaces are chosen already.
    await eventually(async () =>
      assert.equal(
        await list.locator('.monaco-list-row input[type=checkbox]:checked, .monaco-list-row .monaco-checkbox.checked').count(),
        2,
      ),
    );
    await workbench.page.keyboard.press('Enter');
    const compared = await page();
    await compared.getByRole('columnheader').filter({ hasText: 'JSONRPC 0.3' }).waitFor();
    await eventually(async () => assert.equal(await compared.getByRole('cell').filter({ hasText: 'completed' }).count(), 2));
    await compared.getByRole('rowheader').filter({ hasText: 'Convert 10 USD to INR' }).waitFor();
    await workbench.screenshot('comparedRuns');

    await compared.locator('.same, .difference').first().click();
    await workbench.page.locator('.part.editor .monaco-diff-editor').waitFor();
    await workbench.tab(/Convert 10 USD to INR: Currency JSONRPC/).waitFor();
    await workbench.tab('Compared Runs').click();
    await workbench.reload();
    await eventually(async () => assert.equal(await (await page()).getByRole('cell').filter({ hasText: 'completed' }).count(), 2), 60_000);
  });

  test('two conversations that are selected in the tree are compared', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    await workbench.command('View: Close All Editors');
    await tree.expand('Currency');
    const rows = workbench.page
      .locator('.part.sidebar .pane')
      .getByRole('treeitem')
      .filter({ hasText: /Convert 10/ });
    await eventually(async () => assert.ok((await rows.count()) >= 3));
    await rows.nth(0).click();
    await rows.nth(2).click({ modifiers: ['ControlOrMeta'] });
    await rows.nth(2).click({ button: 'right' });
    const entry = workbench.page.locator('.context-view .monaco-menu .action-item', { hasText: 'Compare Runs…' });
    // A menu takes no click in its first tenth of a second; a key it takes.
    await entry.hover();
    await entry.and(workbench.page.locator('.focused')).waitFor();
    await workbench.page.keyboard.press('Enter');
    const compared = await page();
    await eventually(async () => assert.equal(await compared.getByRole('columnheader').count(), 3));
    await eventually(async () => assert.equal(await compared.getByRole('cell').filter({ hasText: 'completed' }).count(), 2));
  });
});
