import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

const checks = `{
  "agent": "Currency",
  "requests": [
    { "name": "ask", "message": "How much is {{amount}} {{currency}}?" },
    {
      "name": "answer", "after": "ask", "message": "EUR",
      "expect": { "state": "completed", "text": "EUR" }
    },
    {
      "name": "wrong", "message": "Convert {{amount}} {{currency}} to EUR",
      "expect": { "state": "failed" }
    }
  ],
  "variables": { "amount": 10, "currency": "USD" }
}
`;

suite('request files', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ pace: 0, settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false } });
    await writeFile(join(stage.folder, 'a2a.env.json'), JSON.stringify({ dev: { currency: 'USD' }, prod: { production: true, currency: 'GBP' } }, null, 2));
    await writeFile(join(stage.folder, 'checks.a2a'), checks);
  });
  suiteTeardown(() => stage.close());

  const lens = (text: string | RegExp) => stage.workbench.page.locator('.editor-group-container .codelens-decoration a').filter({ hasText: text });
  const status = () => stage.workbench.page.locator('.statusbar-item[id$="a2a.environment"]');

  test('an environment is chosen, and one of production is red and asks first', async () => {
    await stage.workbench.openFile('checks.a2a');
    await lens('No Environment').click();
    await stage.workbench.pick('prod');
    await lens('🔴 prod (production)').waitFor();
    await eventually(async () => assert.match(await status().getAttribute('class') ?? '', /error-kind/));
    await lens('Send Request').first().click();
    const dialog = stage.workbench.page.locator('.monaco-dialog-box', { hasText: 'marked as production' });
    await dialog.waitFor();
    await stage.workbench.screenshot('environment-production');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await lens('🔴 prod (production)').click();
    await stage.workbench.pick('dev');
    await lens(/^.*dev$/).waitFor();
    await lens('Send Request').first().click();
    await lens(/input.required/).waitFor();
    await stage.workbench.screenshot('request-lenses');
  });

  test('a request is renamed wherever it is named', async () => {
    const { page } = stage.workbench;
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.editor().locator('.view-line span span').filter({ hasText: /^"ask"$/ }).first().click();
    await page.keyboard.press('F2');
    const box = page.locator('.rename-box .rename-input');
    await box.fill('question');
    await box.press('Enter');
    await eventually(async () => assert.equal((await stage.workbench.editor().innerText()).match(/"question"/g)?.length, 2));
    await page.keyboard.press('Control+S');
  });

  test('the outline has variables and requests, once', async () => {
    const { page } = stage.workbench;
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.editor().locator('.view-line span span').filter({ hasText: /^"answer"$/ }).first().click();
    await eventually(async () => assert.match(await page.locator('.breadcrumbs-below-tabs').innerText(), /^checks\.a2a\s+A2A\s+answer$/));
    await stage.workbench.command('Explorer: Focus on Outline View');
    // VS Code shows two sources of symbols as two groups; that of JSON has nothing in it.
    const rows = page.locator('.outline-pane .monaco-list-row');
    await rows.filter({ hasText: 'A2A' }).locator('.monaco-tl-twistie').click();
    await rows.filter({ hasText: 'wrong' }).waitFor();
    const names = (await rows.locator('.label-name').allInnerTexts()).map(name => name.trim());
    assert.deepEqual(names.filter(name => !name.startsWith('JSON')), ['A2A', 'amount', 'currency', 'question', 'answer', 'wrong']);
    await stage.workbench.screenshot('outline');
  });

  test('the Test Explorer lists requests, runs them, and shows what was expected', async () => {
    const { page } = stage.workbench;
    await stage.workbench.view('Testing', 'Test Explorer');
    const row = (name: string | RegExp) => page.locator('.test-explorer .monaco-list-row', { hasText: name });
    await row('checks.a2a').first().locator('.monaco-tl-twistie').click();
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.command('Test: Run Tests in Current File');
    await lens('✗1').first().waitFor();
    await lens('✓2').first().waitFor();
    await row('wrong').first().waitFor();
    await stage.workbench.command('View: Close Editors in Other Groups');
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /completed\s!=\sfailed/));
    await stage.workbench.screenshot('test-explorer');
  });
});
