import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { Script } from '../../src/mock/script.ts';
import { task } from '../support/client/says.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';
import type { ColorTheme } from '../support/vscode/workbench.ts';

const notFound = [{ error: { code: -32001, message: 'Task not found' } }] as const;
const noPush = [{ error: { code: -32003, message: 'Push notifications are not supported' } }] as const;

suite('conformance in the workbench', () => {
  let agent: ScriptedAgent;
  let stage: Stage;
  /** Whether the faults that are planted in the agent are mended. */
  let isMended = false;

  const script: Script = {
    *GetTask({ params }) {
      if (params?.id === 't-1') yield { answer: task('TASK_STATE_COMPLETED') };
      else yield* notFound;
    },
    SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED') } }],
    // The first fault: it looks for the task before it says that it does not stream.
    *SubscribeToTask() {
      if (isMended) yield { error: { code: -32004, message: 'This agent does not stream' } };
      else yield* notFound;
    },
    CreateTaskPushNotificationConfig: noPush,
    GetTaskPushNotificationConfig: noPush,
    ListTaskPushNotificationConfigs: noPush,
    // The second one: it has no word for push notifications.
    *DeleteTaskPushNotificationConfig() {
      if (isMended) yield* noPush;
      else yield { error: { code: -32004, message: 'No' } };
    },
  };

  suiteSetup(async () => {
    agent = scriptedAgent({
      script,
      version: '1.0',
      card: url => ({
        name: 'Lighthouse',
        description: 'Tells where the rocks are.',
        version: '1.0.0',
        capabilities: {},
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 's', name: 'Rocks', description: 'Names rocks.', tags: ['rocks'], examples: ['Which rocks are near?'] }],
        supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      }),
    });
    await agent.start();
    stage = await Stage.open({ agents: { Lighthouse: agent.url }, settings: { 'workbench.colorTheme': 'Dark Modern' } });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await agent?.stop();
  });

  /** How often the agent was made to work, with the example of its card. */
  const begun = (): number =>
    agent.requests.filter(({ params }) => JSON.stringify(params ?? null).includes('Which rocks are near?')).length;
  const page = () => webviewFrame(stage.workbench.page, 'h1:text-is("Conformance of Lighthouse")');
  const choose = (label: string) =>
    stage.workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row', { hasText: label }).first().click();

  const themes: readonly (readonly [theme: ColorTheme, name: string])[] = [
    ['Default High Contrast', 'high-contrast'],
    ['Light Modern', 'light'],
    ['Dark Modern', 'dark'],
  ];

  test('a person checks an agent, sees which rules it breaks and the bytes, mends it, and sees that', async function () {
    this.timeout(120_000);
    await stage.tree();
    await stage.workbench.command('A2A: Check Conformance…');
    await stage.workbench.pick('Lighthouse');
    await stage.workbench.page.getByPlaceholder('May the agent be made to work?').waitFor();
    await stage.workbench.page.getByText('Which rocks are near?').first().waitFor();
    await stage.workbench.screenshot('conformance-question');
    await choose('Also Make the Agent Work');
    const shown = await page();
    await shown.getByRole('button', { name: 'Check Again' }).waitFor();
    const total = shown.getByRole('button', { name: /^\d+ failed$/ });
    const broken = Number.parseInt(await total.innerText(), 10);
    assert.ok(broken >= 2);
    assert.ok(begun() > 0);

    const rule = shown.getByRole('button', { name: 'PUSH-01: failed' });
    await rule.click();
    await shown.getByText('Check the capability first').waitFor();
    const came = await shown.getByLabel('Answer').innerText();
    assert.match(await shown.locator('mark').innerText(), /^\{"code":-32004,.*\}$/);
    await shown.getByText(/bytes \d+ to \d+ are marked/).waitFor();
    assert.match(came, /"error":\{"code":-32004/);
    assert.match(await shown.getByLabel('Request').innerText(), /"method":"DeleteTaskPushNotificationConfig"/);
    for (const [theme, name] of themes) {
      await stage.workbench.setTheme(theme);
      await stage.workbench.screenshot(`conformance-${name}`);
    }
    await rule.click();

    await shown.getByPlaceholder('Search rules').fill('stream refuses');
    await shown.getByRole('button', { name: 'PUSH-01: failed' }).waitFor({ state: 'detached' });
    await shown.getByRole('button', { name: 'STRM-01: failed' }).waitFor();
    await shown.getByPlaceholder('Search rules').fill('');
    await total.click();
    await shown.getByRole('button', { name: 'RPC-04: passed' }).waitFor({ state: 'detached' });
    const row = stage.workbench.page.locator(`.monaco-list-row[aria-label*="breaks ${broken} rules"]`);
    await row.first().waitFor();

    isMended = true;
    await shown.getByRole('button', { name: 'Check Again' }).click();
    await choose('Also Make the Agent Work');
    await shown.getByText('2 fixed, 0 new').waitFor();
    await shown.getByRole('button', { name: 'PUSH-01: passed' }).locator('.change.fixed').waitFor();
    await shown.getByRole('button', { name: /2 fixed, 0 new/ }).click();
    await shown.getByRole('button', { name: 'RPC-04: passed' }).waitFor({ state: 'detached' });
    await stage.workbench.screenshot('conformance-fixed');
    await eventually(async () => assert.equal(await row.count(), 0));
  });

  test('the page and its runs are there again after a reload', async () => {
    await stage.workbench.reload();
    const shown = await page();
    await shown.getByText('2 fixed, 0 new').waitFor();
    await shown.getByLabel('Run').selectOption({ index: 1 });
    await shown.getByRole('button', { name: 'PUSH-01: failed' }).waitFor();
  });

  test('in the Test Explorer an agent is a suite of rules, and a rule that is broken says how', async () => {
    isMended = false;
    const tests = await stage.workbench.view('Testing', 'Test Explorer');
    await tests.item('A2A Conformance').waitFor();
    await tests.expand('A2A Conformance');
    await tests.expand('Lighthouse');
    await tests.expand('Streams');
    const before = begun();
    await tests.inlineAction('Lighthouse', 'Run Test');
    const icon = (name: string, state: string) => tests.item(name).locator(`.codicon-testing-${state}-icon`);
    await icon('STRM-01 An agent that does not stream', 'failed').waitFor();
    await icon('STRM-04 Order is kept', 'skipped').waitFor();
    assert.equal(begun(), before);
    await stage.workbench.screenshot('conformance-tests');
  });
});
