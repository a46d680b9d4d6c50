import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('editor', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open();
  });
  suiteTeardown(() => stage.close());

  /** The lenses on show, by their words. */
  const lens = (text: string | RegExp) =>
    stage.workbench.page.locator('.editor-group-container .codelens-decoration a').filter({ hasText: text });

  test('a lens sends a request and shows the result beside', async () => {
    await stage.workbench.openFile('currency.a2a');
    await stage.workbench.pressLens(lens('Send Request'), lens(/completed|input.required/));
    await stage.workbench.page
      .locator('.tab', { hasText: /response/i })
      .first()
      .waitFor();
    await eventually(async () => {
      const shown = await stage.workbench.page.locator('.editor-group-container .monaco-editor').allInnerTexts();
      assert.ok(
        shown.some(text => /"state": "input-required"[^]*"text": "To which currency/.test(text.replaceAll('\u00a0', ' '))),
        `no response begins with the answer: ${shown.join('\n')}`,
      );
    });
    await stage.workbench.screenshot('request');
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

  test('a fault in a request file is underlined', async () => {
    await writeFile(
      join(stage.folder, 'faulty.a2a'),
      '{\n  "agent": "Currency",\n  "requests": [\n    { "name": "a", "method": "GetTusk", "params": { "id": "1" } }\n  ]\n}\n',
    );
    await stage.workbench.openFile('faulty.a2a');
    await stage.workbench.squiggles('error').first().waitFor();
    const messages = await stage.workbench.problems();
    assert.ok(messages.length > 0);
    await stage.workbench.screenshot('faulty-request');
  });

  test('a fault in an agent card is underlined', async () => {
    await writeFile(
      join(stage.folder, 'faulty.agent-card.json'),
      `${JSON.stringify(
        {
          name: 'Harbour',
          description: 'Knows the berths.',
          version: '1.0.0',
          capabilities: { streaming: 'yes' },
          supportedInterfaces: [{ url: 'http://127.0.0.1:1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
        },
        null,
        2,
      )}\n`,
    );
    await stage.workbench.openFile('faulty.agent-card.json');
    await stage.workbench.squiggles('warning').first().waitFor();
    await stage.workbench.screenshot('faulty-card');
  });
});
