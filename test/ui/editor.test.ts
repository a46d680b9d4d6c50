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
        shown.some(text => text.includes('TASK_STATE_')),
        'no response is shown',
      );
    });
    await stage.workbench.screenshot('request');
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
