import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { webviewFrame } from '../../support/vscode/webviewFrame.ts';
import { Stage } from '../../support/vscode/stage.ts';

const file = 'rates.a2a-recording.jsonl';

suite('recordings', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ withAgents: [], agents: {}, pace: 0, settings: { 'workbench.colorTheme': 'Dark Modern' } });
    const terminal = await TerminalFolder.make();
    await terminal.run(['chat', stage.agents.urls.Currency, '--record', file], { stdin: 'How much is 10 USD?\nin EUR' });
    await writeFile(join(stage.folder, file), readFileSync(join(terminal.folder, file), 'utf8'));
    await writeFile(join(stage.folder, 'broken.a2a-recording.jsonl'), '{"format":"a2a-workbench-recording","version":1');
    await terminal.remove();
  });
  suiteTeardown(() => stage?.close());

  const inExplorer = (name: string) => stage.workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });

  test('a double click shows the conversation, which cannot be continued, and the agent has a row', async () => {
    const { workbench } = stage;
    await workbench.command('View: Show Explorer');
    // A folder that no file watcher can watch shows new files by this alone.
    await workbench.command('File: Refresh Explorer');
    await inExplorer(file).dblclick();
    const chat = stage.chat('Currency (recording)');
    await chat.shows(/10 USD/);
    await chat.shows(/EUR/);
    await chat.shows(/This is a recording: nothing can be sent/);
    const page = await chat.frame();
    assert.match(await page.locator('header .reachability').innerText(), /^\s*recording\s*$/);
    assert.deepEqual([await page.getByRole('textbox').count(), await page.getByText('Try Again').count()], [0, 0]);
    assert.equal(await page.locator('.connection .codicon-info').count(), 1);
    // Up to VS Code 1.105, the tab of a file has the file's name.
    await workbench.tab(/How much is 10 USD\?|rates/).waitFor();
    const tree = await stage.tree();
    await tree.item(/\(recording\)/).waitFor();
    assert.equal(await workbench.page.locator('.tabs-container .tab').count(), 1);
  });

  test('the agent of an opened recording is played from the title of its editor', async () => {
    const { workbench } = stage;
    await workbench.command('A2A: Start or Stop Mock Agent');
    await workbench.notified(/plays this recording/);
  });

  test('what is no recording is said, and opened as text', async () => {
    const { workbench } = stage;
    await workbench.command('View: Close All Editors');
    await workbench.command('View: Show Explorer');
    // A folder that no file watcher can watch shows new files by this alone.
    await workbench.command('File: Refresh Explorer');
    await inExplorer('broken').dblclick();
    const page = await webviewFrame(workbench.page, 'p:has-text("not a recording that can be read")');
    await page.getByText('Open as Text').click();
    await workbench.text(/a2a-workbench-recording/).waitFor();
  });
});
