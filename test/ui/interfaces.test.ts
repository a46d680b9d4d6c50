import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('interfaces of requests', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open();
    await stage.workbench.command('View: Close All Editors');
  });
  suiteTeardown(() => stage?.close());

  test('a request is sent on every interface, and the answers are compared', async () => {
    await stage.workbench.openFile('currency.a2a');
    await stage.workbench.command('A2A: Send on Every Interface');
    const told = await stage.workbench.notified(/"Currency" (answers|does not answer) the same on \d+ interfaces/);
    const open = told.getByRole('button', { name: 'Open Answers' });
    if ((await open.count()) > 0) await open.click();
    await stage.workbench.page.locator('.monaco-diff-editor').first().waitFor();
    await eventually(async () => assert.match(await stage.workbench.page.locator('.monaco-diff-editor').first().innerText(), /TASK_STATE/));
    await stage.workbench.screenshot('every-interface');
    await stage.workbench.command('View: Close All Editors');
  });

  test('a request and its response say what it was sent over, and lead to the choice', async () => {
    await stage.workbench.openFile('currency.a2a');
    const lens = (text: string | RegExp): Locator => stage.workbench.page.locator('.codelens-decoration a', { hasText: text }).first();
    await stage.workbench.pressLens(lens('Send Request'), lens(/input required/));
    await lens('JSONRPC 1.0').waitFor();
    await lens('Send on Every Interface').waitFor();
    await lens('Choose Interface…').waitFor();
    // What is below the answer is folded.
    await stage.workbench.press(stage.workbench.page.locator('.view-line', { hasText: '"interface": {' }).first());
    await stage.workbench.command('Unfold');
    await stage.workbench.page
      .locator('.view-line', { hasText: /"why":.*the.interface.the.card.prefers/ })
      .first()
      .waitFor();
    await stage.workbench.screenshot('request-interface');
    await stage.workbench.pressLens(lens('Choose Interface…'), stage.workbench.quickInput());
    await stage.workbench.pick('JSONRPC 0.3');
    await stage.workbench.notified(/"Currency" now uses JSONRPC 0\.3/);
    await stage.workbench.pressLens(lens('Send Request'), lens('JSONRPC 0.3'));
  });
});
