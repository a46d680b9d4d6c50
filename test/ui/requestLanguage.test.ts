import * as assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
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
    await writeFile(
      join(stage.folder, 'a2a.env.json'),
      JSON.stringify({ dev: { currency: 'USD' }, prod: { production: true, currency: 'GBP' } }, null, 2),
    );
    await writeFile(join(stage.folder, 'checks.a2a'), checks);
  });
  suiteTeardown(() => stage?.close());

  const lens = (text: string | RegExp) => stage.workbench.lens(text);
  const status = () => stage.workbench.page.locator('.statusbar-item[id$="a2a.environment"]');

  test('an environment is chosen, and one of production is red', async () => {
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.pressLens(lens('No Environment'), stage.workbench.quickInput());
    await stage.workbench.pick('prod');
    await lens('prod (production)').waitFor();
    await eventually(async () => assert.match((await status().getAttribute('class')) ?? '', /error-kind/));
    await stage.workbench.screenshot('environment-production');
    await stage.workbench.pressLens(lens('prod (production)'), stage.workbench.quickInput());
    await stage.workbench.pick('dev');
    await lens(/^.*dev$/).waitFor();
  });

  test('the next response takes the place of the one before, and nothing of that stays folded over it', async () => {
    const { page } = stage.workbench;
    const one = (name: string, more = ''): string => `    { "name": "${name}", "message": "Convert 10 USD to EUR"${more} }`;
    await writeFile(
      join(stage.folder, 'twice.a2a'),
      `{\n  "agent": "Currency",\n  "requests": [\n${one('plain')},\n${one('expecting', ', "expect": { "state": "completed" }')}\n  ]\n}\n`,
    );
    await stage.workbench.openFile('twice.a2a');
    const line = (text: string | RegExp) => page.locator('.view-line', { hasText: text }).first();
    // What is below the answer is folded, so that the last member is on the first screen.
    const isFolded = async (name: string): Promise<void> => {
      await line(new RegExp(`"request":.*"${name}"`)).waitFor();
      await line('"exchanges"').waitFor();
      await eventually(async () => assert.equal(await page.locator('.view-line', { hasText: 'totalMs' }).count(), 0));
    };
    await stage.workbench.pressLens(lens('Send Request').first(), lens('completed').first());
    await isFolded('plain');
    await stage.workbench.pressLens(lens('Send Request').last(), line(/"request":.*"expecting"/));
    await isFolded('expecting');
    await line(/"kind":.*"state"/).waitFor();
    assert.equal(await page.locator('.tab', { hasText: /twice response/ }).count(), 1);
    await stage.workbench.screenshot('second-response');
    await stage.workbench.command('View: Close All Editors');
  });

  test('a printed body with a fault comes in without it, and may come in as a request', async () => {
    const { page } = stage.workbench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await writeFile(join(stage.folder, 'printed.a2a'), '\n');
    await stage.workbench.openFile('printed.a2a');
    await stage.workbench.editor().click();
    await page.evaluate(
      text => navigator.clipboard.writeText(text),
      '{\n  "jsonrpc": "2.0",\n  "id": "req-7", // an id\n  "method": "message/send"\n  "params": { "message": { "messageId": "1", "role": "user", "parts": [{ "kind": "text", "text": "hi" }], } }\n}',
    );
    await page.keyboard.press('Control+V');
    await eventually(async () =>
      assert.match(await stage.workbench.editor().innerText(), /"id":\s"req-7",\s*[^]*"method":\s"message\/send",/),
    );
    await page.locator('.post-edit-widget').click();
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Insert as Written, Repaired' }).waitFor();
    await stage.workbench.screenshot('pasted-repaired');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Insert as A2A Request' }).click();
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /"message":\s"hi"/));
    await stage.workbench.command('View: Revert and Close Editor');
  });

  test('several lines that are pasted into a message become lines, with what stands around them', async () => {
    const { page } = stage.workbench;
    await writeFile(join(stage.folder, 'lines.a2a'), '{ "agent": "Currency", "message": "Please: " }\n');
    await stage.workbench.openFile('lines.a2a');
    await stage.workbench.press(stage.workbench.editor().getByText('"Please:'));
    await page.keyboard.press('End');
    // Before the closing quote and brace.
    for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowLeft');
    await page.evaluate(text => navigator.clipboard.writeText(text), 'one\n  "two"\nthree');
    await page.keyboard.press('Control+V');
    const text = async (): Promise<string> => (await stage.workbench.editor().innerText()).replaceAll('\u00a0', ' ');
    const asLines = page.locator('.action-widget .monaco-list-row', { hasText: 'Insert as Lines' });
    if (!(await text()).includes('"lines"')) {
      await page.locator('.post-edit-widget').click();
      await asLines.click();
    }
    await eventually(async () => assert.match(await text(), /"lines": \[\s*[^]*"Please: one",\s*[^]*" {2}\\"two\\"",\s*[^]*"three"/));
    await stage.workbench.screenshot('pasted-lines');
    await stage.workbench.command('View: Revert and Close Editor');
  });

  test('the path above the text leads to the request, not through its JSON', async () => {
    const { page } = stage.workbench;
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.press(stage.workbench.text(/^"answer"$/));
    await eventually(async () =>
      assert.match(await page.locator('.breadcrumbs-below-tabs:not(.hidden)').first().innerText(), /^checks\.a2a\s+A2A\s+answer$/),
    );
  });

  test('the Test Explorer lists requests, runs them, and shows what was expected', async () => {
    const tests = await stage.workbench.view('Testing', 'Test Explorer');
    await tests.expand('checks.a2a');
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.runTestsOfFile();
    await lens('✗1').first().waitFor();
    await lens('✓2').first().waitFor();
    await tests.item('wrong').waitFor();
    await stage.workbench.command('View: Close Editors in Other Groups');
    await eventually(async () => assert.match(await stage.workbench.editor().innerText(), /completed\s!=\sfailed/));
    await stage.workbench.screenshot('test-explorer');
  });

  test('a test that runs continuously runs when its file is saved', async () => {
    const { page } = stage.workbench;
    await writeFile(
      join(stage.folder, 'saved.a2a'),
      '{ "agent": "Currency", "requests": [{ "name": "saved", "message": "Convert 10 USD to EUR", "expect": { "text": "EUR" } }] }\n',
    );
    await stage.workbench.openFile('saved.a2a');
    const tests = await stage.workbench.view('Testing', 'Test Explorer');
    await tests.inlineAction('saved.a2a', 'Turn on Continuous Run');
    for (const [find, put, verdict] of [
      ['"EUR" }', '"GBP" }', '✗1'],
      ['"GBP" }', '"EUR" }', '✓1'],
    ] as const) {
      const text = await readFile(join(stage.folder, 'saved.a2a'), 'utf8');
      await stage.workbench.editor().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text.replace(find, put));
      await page.keyboard.press('Control+S');
      await lens(verdict).waitFor();
    }
    await stage.workbench.screenshot('continuous-run');
  });
});
