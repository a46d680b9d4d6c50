import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('names of imported files', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ pace: 0, settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false } });
  });
  suiteTeardown(() => stage.close());

  const text = (): Promise<string> => stage.workbench.editor().innerText();

  test('a name of an imported file is renamed there, and the file that imports it follows', async () => {
    const { page } = stage.workbench;
    const files = {
      'shared.a2a': '{\n  "agent": "Currency",\n  "requests": [{ "name": "login", "message": "hi" }]\n}\n',
      'uses.a2a':
        '{\n  "import": "shared.a2a",\n  "agent": "Currency",\n  "requests": [{ "after": "login", "message": "{{login.task.id}} {{nobody}}" }]\n}\n',
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(stage.folder, name), content);
    await stage.workbench.openFile('uses.a2a');
    // The imported name is known, so that the other one alone is marked.
    await eventually(async () => assert.equal(await stage.workbench.squiggles('error').count(), 1));
    await stage.workbench.screenshot('import');
    await stage.workbench.openFile('shared.a2a');
    await stage.workbench.press(page.locator('.view-line span', { hasText: /^"login"$/ }));
    await page.keyboard.press('F2');
    const box = page.locator('.rename-input');
    await box.fill('enter');
    await box.press('Enter');
    await eventually(async () => assert.match(await text(), /"enter"/));
    await stage.workbench.openFile('uses.a2a');
    await eventually(async () => assert.match(await text(), /"after":\s"enter"[^]*\{\{enter\.task\.id\}\}/));
    await eventually(async () => assert.equal(await stage.workbench.squiggles('error').count(), 1));
  });
});
