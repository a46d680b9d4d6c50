import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { conformingAgent } from '../support/conformance/agent/conformingAgent.ts';
import { otherwise } from '../support/conformance/probeDecoy.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

const example = 'Which rocks are near?';

suite('conformance in the workbench', () => {
  let agent: Awaited<ReturnType<typeof conformingAgent>>;
  let stage: Stage;
  /** Whether the faults that are planted in the agent are mended. */
  let isMended = false;
  /** How often the agent was made to work, with the example of its card. */
  let begun = 0;
  /** How often the agent was asked for a stream of a task that is there: as often in each check. */
  let asked = 0;

  suiteSetup(async () => {
    agent = await conformingAgent({
      version: '1.0',
      binding: 'JSONRPC',
      kind: 'bare',
      card: card => ({
        ...card,
        name: 'Lighthouse',
        skills: [{ id: 's', name: 'Rocks', description: 'Names rocks.', tags: ['rocks'], examples: [example] }],
      }),
      script: right => ({
        // The first fault: it looks for the task before it says that it does not stream.
        ...otherwise('SubscribeToTask', (request, does) => {
          asked++;
          return isMended ? does(request) : [{ error: { code: -32001, message: 'Task not found' } }];
        })(right),
        // The second one: it has no word for push notifications.
        ...otherwise('DeleteTaskPushNotificationConfig', (request, does) =>
          isMended ? does(request) : [{ error: { code: -32004, message: 'No' } }],
        )(right),
        ...otherwise('SendMessage', (request, does) => {
          if (JSON.stringify(request.params).includes(example)) begun++;
          return does(request);
        })(right),
      }),
    });
    stage = await Stage.open({ agents: { Lighthouse: agent.url }, settings: { 'workbench.colorTheme': 'Dark Modern' } });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await agent?.stop();
  });

  const page = () => webviewFrame(stage.workbench.page, 'h1:text-is("Conformance of Lighthouse")');

  test('a person checks an agent, sees which rules it breaks and the bytes, mends it, and sees that', async () => {
    await stage.tree();
    await stage.workbench.command('A2A: Check Conformance…');
    await stage.workbench.pick('Lighthouse');
    await stage.workbench.page.getByPlaceholder('Run checks that start tasks?').waitFor();
    await stage.workbench.page.getByText(example).first().waitFor();
    // The page is there by now, and the question keeps the keyboard: a webview takes it some time after it is drawn.
    const shown = await page();
    await shown.getByRole('button', { name: 'Stop' }).waitFor();
    await stage.workbench.page.waitForTimeout(1_500);
    await stage.workbench.page.keyboard.press('ArrowDown');
    await stage.workbench.page.keyboard.press('Enter');
    await shown.getByRole('button', { name: 'Check Again' }).waitFor();
    const total = shown.getByRole('button', { name: '2 failed', exact: true });
    await total.waitFor();
    assert.ok(begun > 0);

    const rule = shown.getByRole('button', { name: /^PUSH-01, JSONRPC 1\.0: failed/ });
    await rule.click();
    await shown.getByText('Check the capability first').waitFor();
    const came = await shown.getByLabel('Answer').innerText();
    await eventually(async () => assert.match(await shown.locator('mark').innerText(), /^\{"code":-32004,.*\}$/));
    await shown.getByText(/bytes \d+ to \d+ are marked/).waitFor();
    assert.match(came, /"error":\{"code":-32004/);
    await eventually(async () =>
      assert.match(await shown.getByLabel('Request').innerText(), /"method":"DeleteTaskPushNotificationConfig"/),
    );
    const row = stage.workbench.page.locator(`.monaco-list-row[aria-label*="breaks 2 rules"]`);
    await row.first().waitFor();

    isMended = true;
    const before = begun;
    await shown.getByRole('button', { name: 'Check Again' }).click();
    // What was answered before is chosen already.
    await stage.workbench.page.getByPlaceholder('Run checks that start tasks?').waitFor();
    await stage.workbench.page
      .locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'Include Checks That Start Tasks' })
      .waitFor();
    await stage.workbench.page.keyboard.press('Enter');
    await shown.getByText('2 fixed, 0 new').waitFor();
    assert.ok(begun > before);
    await shown
      .getByRole('button', { name: /^PUSH-01, JSONRPC 1\.0: passed/ })
      .locator('.change.fixed')
      .waitFor();
    assert.equal(await shown.getByRole('button', { name: /^\d+ failed$/ }).count(), 0);
    await eventually(async () => assert.equal(await row.count(), 0));
  });

  test('in the Test Explorer an agent is a suite of rules, and a rule that is broken says how', async () => {
    isMended = false;
    const tests = await stage.workbench.view('Testing', 'Test Explorer');
    await tests.item('A2A Conformance').waitFor();
    await tests.expand('A2A Conformance');
    await tests.expand('Lighthouse');
    await tests.expand('Streams');
    const before = begun;
    await tests.inlineAction('Lighthouse', 'Run Test');
    const icon = (name: string, state: string) => tests.item(name).locator(`.codicon-testing-${state}-icon`);
    await icon('STRM-01 Streaming methods work', 'failed').waitFor();
    await icon('STRM-04 Order is kept', 'skipped').waitFor();
    assert.equal(begun, before);
  });

  test('an agent that is checked continuously is checked after each saved file, one run after the other', async () => {
    const { workbench } = stage;
    isMended = true;
    const tests = await workbench.view('Testing', 'Test Explorer');
    await tests.item('A2A Conformance').waitFor();
    await tests.expand('A2A Conformance');
    await tests.item('Lighthouse').waitFor();
    await writeFile(join(stage.folder, 'server.js'), '// the server\n');
    await workbench.openFile('server.js');
    const row = workbench.page.locator('.test-explorer .monaco-list-row', { hasText: 'Lighthouse' });
    await tests.inlineAction('Lighthouse', 'Turn on Continuous Run');
    const before = asked;
    const save = async (): Promise<void> => {
      await workbench.editor().click();
      await workbench.page.keyboard.insertText('// changed\n');
      await workbench.page.keyboard.press('Control+S');
    };
    await save();
    await row.locator('.codicon-testing-passed-icon').waitFor();
    const once = asked - before;
    assert.ok(once > 0);
    isMended = false;
    await save();
    await row.locator('.codicon-testing-failed-icon').waitFor();
    assert.equal(asked - before, 2 * once);
    // It is no notification each time.
    assert.equal(await workbench.notification('Checking conformance').count(), 0);
  });
});
