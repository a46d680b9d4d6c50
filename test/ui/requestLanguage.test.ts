import * as assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { Task } from '../../src/protocol/message/task.ts';
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
  let slow: ScriptedAgent;
  suiteSetup(async () => {
    // A task of its own for each message, as agents have it.
    let tasks = 0;
    const task = (id: string, state: Task['status']['state']): Task => ({ id, contextId: `context of ${id}`, status: { state } });
    slow = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: ({ params }) =>
          JSON.stringify(params?.message.parts).includes('quick')
            ? [{ event: { message: { messageId: `m${++tasks}`, role: 'ROLE_AGENT', parts: [{ text: 'done' }] } } }]
            : [{ event: { task: task(`t${++tasks}`, 'TASK_STATE_WORKING') } }, { stall: true }],
        CancelTask: ({ params }) => [{ answer: task(params?.id ?? '', 'TASK_STATE_CANCELED') }],
      },
    });
    await slow.start();
    stage = await Stage.open({ pace: 0, settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false } });
    await writeFile(
      join(stage.folder, 'a2a.env.json'),
      JSON.stringify({ dev: { currency: 'USD' }, prod: { production: true, currency: 'GBP' } }, null, 2),
    );
    await writeFile(join(stage.folder, 'checks.a2a'), checks);
  });
  suiteTeardown(async () => {
    await stage.close();
    await slow.stop();
  });

  const lens = (text: string | RegExp) => stage.workbench.lens(text);
  /** The texts of the messages that the slow agent was sent. */
  const sendings = (): string[] =>
    slow.requests
      .filter(({ operation }) => operation === 'SendStreamingMessage')
      .map(({ body }) => (JSON.parse(body) as { params: { message: { parts: [{ text: string }] } } }).params.message.parts[0].text);
  const status = () => stage.workbench.page.locator('.statusbar-item[id$="a2a.environment"]');

  test('an environment is chosen, and one of production is red and asks first', async () => {
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.pressLens(lens('No Environment'), stage.workbench.quickInput());
    await stage.workbench.pick('prod');
    await lens('prod (production)').waitFor();
    await eventually(async () => assert.match((await status().getAttribute('class')) ?? '', /error-kind/));
    const dialog = stage.workbench.page.locator('.monaco-dialog-box', { hasText: 'marked as production' });
    await stage.workbench.pressLens(lens('Send Request'), dialog);
    await stage.workbench.screenshot('environment-production');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await stage.workbench.pressLens(lens('prod (production)'), stage.workbench.quickInput());
    await stage.workbench.pick('dev');
    await lens(/^.*dev$/).waitFor();
    await stage.workbench.pressLens(lens('Send Request'), lens(/input.required/));
    await stage.workbench.screenshot('request-lenses');
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

  test('a request is renamed wherever it is named', async () => {
    const { page } = stage.workbench;
    await stage.workbench.openFile('checks.a2a');
    await stage.workbench.press(stage.workbench.text(/^"ask"$/));
    await page.keyboard.press('F2');
    const box = page.locator('.rename-box .rename-input');
    await box.fill('question');
    await box.press('Enter');
    await eventually(async () => assert.equal((await stage.workbench.editor().innerText()).match(/"question"/g)?.length, 2));
    await page.keyboard.press('Control+S');
  });

  test('a cURL command that is pasted is a request, and asks which way it is wanted', async () => {
    const { page } = stage.workbench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await writeFile(join(stage.folder, 'pasted.a2a'), '\n');
    await stage.workbench.openFile('pasted.a2a');
    await stage.workbench.editor().click();
    await page.evaluate(
      text => navigator.clipboard.writeText(text),
      'curl http://127.0.0.1:9/ -d \'{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"1","role":"user","parts":[{"kind":"text","text":"hi"}]}}}\'',
    );
    await page.keyboard.press('Control+V');
    await eventually(async () =>
      assert.match(await stage.workbench.editor().innerText(), /"agent":\s"http:\/\/127\.0\.0\.1:9\/",\s*[^]*"message":\s"hi"/),
    );
    await page.locator('.post-edit-widget').waitFor();
    await stage.workbench.screenshot('pasted');
    await stage.workbench.command('View: Revert and Close Editor');
  });

  test('a printed body with a fault comes in without it, and may come in as a request', async () => {
    const { page } = stage.workbench;
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

  test('a test that runs is cancelled, at the agent too', async () => {
    const { page } = stage.workbench;
    await writeFile(
      join(stage.folder, 'slow.a2a'),
      `{ "agent": "${slow.url}", "requests": [{ "name": "slow", "message": "x", "expect": { "state": "completed" } }] }\n`,
    );
    await stage.workbench.openFile('slow.a2a');
    await stage.workbench.runTestsOfFile();
    await lens('working').waitFor();
    await stage.workbench.command('Test: Cancel Test Run');
    await eventually(() => assert.ok(slow.requests.some(({ operation }) => operation === 'CancelTask')));
    await lens('canceled').waitFor();
    await page.locator('.test-explorer .codicon-testing-skipped-icon').first().waitFor();
  });

  test('each row of data is a test, and cancelling leaves those that are over as they are', async () => {
    const { page } = stage.workbench;
    const tests = await stage.workbench.view('Testing', 'Test Explorer');
    await writeFile(
      join(stage.folder, 'rows.a2a'),
      `{ "agent": "${slow.url}", "requests": [
  { "name": "first", "message": "quick", "expect": { "text": "done" } },
  { "name": "cities", "message": "{{how}} {{name}}", "each": [{ "name": "Oslo", "how": "quick" }, { "name": "Rome", "how": "quick" }, { "name": "Turku", "how": "slow" }, { "name": "Lima", "how": "quick" }],
    "expect": { "text": "done" } }
] }\n`,
    );
    await stage.workbench.openFile('rows.a2a');
    const icon = (name: string, state: string) => tests.item(name).locator(`.codicon-testing-${state}-icon`);
    for (const name of ['rows.a2a', 'cities']) await tests.expand(name);
    await tests.item('Lima').waitFor();
    await stage.workbench.runTestsOfFile();
    for (const name of ['first', 'Oslo', 'Rome']) await icon(name, 'passed').waitFor();
    await eventually(() => assert.deepEqual(sendings().slice(-1), ['slow Turku']));
    await lens('working').waitFor();
    await stage.workbench.command('Test: Cancel Test Run');
    for (const name of ['Turku', 'Lima']) await icon(name, 'skipped').waitFor();
    for (const name of ['first', 'Oslo', 'Rome']) await icon(name, 'passed').waitFor();
    assert.deepEqual(sendings().slice(-4), ['quick', 'quick Oslo', 'quick Rome', 'slow Turku']);
    await stage.workbench.screenshot('test-rows');
    // One row alone.
    const before = sendings().length;
    await tests.inlineAction('Lima', 'Run Test');
    await icon('Lima', 'passed').waitFor();
    assert.deepEqual(sendings().slice(before), ['quick Lima']);
    for (const name of ['first', 'Oslo', 'Rome']) await icon(name, 'passed').waitFor();
    await icon('Turku', 'skipped').waitFor();
    await page.mouse.move(0, 0);
  });

  test('a test whose need gave no answer is skipped where that is told beside it, and an error of its own where not', async () => {
    const tests = await stage.workbench.view('Testing', 'Test Explorer');
    await writeFile(
      join(stage.folder, 'needs.a2a'),
      `{ "agent": "${slow.url}", "requests": [
  { "name": "unreachable", "agent": "http://127.0.0.1:9/", "message": "quick", "expect": { "text": "done" } },
  { "name": "dependent", "message": "quick {{unreachable.state}}", "expect": { "text": "done" } },
  { "name": "unexpected", "message": "quick", "expect": { "text": "other" } },
  { "name": "goes on", "after": "unexpected", "message": "quick", "expect": { "text": "done" } }
] }\n`,
    );
    await stage.workbench.openFile('needs.a2a');
    const icon = (name: string, state: string) => tests.item(name).locator(`.codicon-testing-${state}-icon`);
    await tests.expand('needs.a2a');
    await stage.workbench.runTestsOfFile();
    for (const [name, state] of [
      ['unreachable', 'error'],
      ['dependent', 'skipped'],
      ['unexpected', 'failed'],
      ['goes on', 'passed'],
    ] as const)
      await icon(name, state).waitFor();
    await stage.workbench.screenshot('test-needs');
    await tests.inlineAction('dependent', 'Run Test');
    await icon('dependent', 'error').waitFor();
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
