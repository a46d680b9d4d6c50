import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

const file = '{ "agent": "Currency", "name": "ask", "message": "Convert 10 USD to INR" }\n';

suite('sent requests', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open();
  });
  suiteTeardown(() => stage.close());

  test('are listed after a reload, opened, compared and sent again', async () => {
    const { workbench, folder } = stage;
    await writeFile(join(folder, 'rate.a2a'), file);
    await workbench.openFile('rate.a2a');
    for (let sent = 0; sent < 2; sent++) {
      // Of the second, what only the second has: VS Code may have dropped the click.
      await workbench.pressLens(workbench.lens('Send Request'), workbench.lens(sent === 0 ? /completed/ : 'Compare with Last'));
      await workbench.lens('Save…').first().waitFor();
    }
    const rows = workbench.page.locator('.quick-input-widget .monaco-list-row');
    // The lens of the first says "completed" while the second is sent.
    await eventually(async () => {
      await workbench.command('A2A: Show Sent Requests');
      const count = await rows.filter({ hasText: 'rate.a2a' }).count();
      await workbench.page.keyboard.press('Escape');
      assert.equal(count, 2);
    });
    await workbench.reload();

    await workbench.command('A2A: Show Sent Requests');
    await eventually(async () => assert.equal(await rows.filter({ hasText: 'rate.a2a' }).count(), 2));
    await workbench.screenshot('sent-requests');
    await workbench.write('nothing of the kind');
    await eventually(async () => assert.equal(await rows.filter({ hasText: 'rate.a2a' }).count(), 0));
    await workbench.write('rate');
    await rows.filter({ hasText: 'rate.a2a' }).first().click();
    await workbench.tab(/^ask .*\.json/).waitFor();
    for (const lens of ['Send Again', 'Open in Chat', 'Show in Wire', 'Preview', 'Compare with Last', 'Save…'])
      await workbench.lens(lens).first().waitFor();
    await eventually(async () => assert.match(await workbench.editor().innerText(), /"state":\s"[Cc]ompleted"/));
    await workbench.screenshot('sent-request-opened');
    await workbench.pressLens(workbench.lens('Preview'), workbench.tab(/^Preview ask /));
    const preview = await webviewFrame(workbench.page, '.response');
    await preview.getByRole('heading', { name: 'ask' }).waitFor();
    await preview.getByText('Completed').waitFor();
    await preview.locator('.artifact').first().waitFor();
    await workbench.screenshot('sent-request-preview');
    // A tab beside the document.
    await workbench.tab(/^ask .*\.json/).click();

    await workbench.pressLens(workbench.lens('Compare with Last'), workbench.tab(/ask: Last and Now/));
    await workbench.command('View: Close Editor');
    await workbench.openFile('rate.a2a');
    await workbench.command('A2A: Show Sent Requests');
    await rows.filter({ hasText: 'rate.a2a' }).first().hover();
    await rows.first().getByRole('button', { name: 'Send Again' }).click();
    await workbench.tab(/rate response/).waitFor();
    await workbench
      .lens(/completed/)
      .first()
      .waitFor();
    await workbench.command('A2A: Show Sent Requests');
    await eventually(async () => assert.equal(await rows.filter({ hasText: 'rate.a2a' }).count(), 3));
    await workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'Clear Sent Requests' }).click();
    await workbench.command('A2A: Show Sent Requests');
    await workbench.notified('No request has been sent yet.');
  });
});
