import * as assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { answering } from '../support/answering.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleAgents, type StartedSampleAgents } from '../support/sampleAgents.ts';

const run = <T>(command: string, ...args: unknown[]): Promise<T> => Promise.resolve(vscode.commands.executeCommand<T>(command, ...args));

suite('new files', () => {
  let agents: StartedSampleAgents;
  const configure = (value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration('a2a').update('agents', value, vscode.ConfigurationTarget.Workspace);
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0 });
    await configure({ Money: { url: agents.urls.Currency }, Painter: { url: agents.urls.Sailboat } });
  });
  suiteTeardown(async () => {
    await configure(undefined);
    await agents.stop();
    await run('workbench.action.closeAllEditors');
  });

  const opened = (): vscode.TextDocument => {
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document?.uri.scheme === 'untitled', document?.uri.toString());
    return document;
  };

  test('a request file tries what its agent says it can do', async () => {
    const asked = await answering('showQuickPick', [undefined], () => run('a2a.newRequestFile'));
    assert.deepEqual(
      (asked[0]?.[0] as { label: string }[]).map(({ label }) => label),
      ['Money', 'Painter'],
    );
    await run('a2a.newRequestFile', 'Money');
    assert.equal(opened().languageId, 'a2a');
    assert.deepEqual(JSON.parse(opened().getText()), {
      agent: 'Money',
      requests: [
        { name: 'convert-money', message: 'How much is 10 USD?', expect: { text: { exists: true } } },
        { name: 'convert-money-2', message: 'Convert 10 USD to EUR' },
        { name: 'convert-money-3', message: 'What is 250 SEK in dollars?' },
      ],
    });
  });

  test('a new file is saved in the folder of the workspace, and never over a file', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder !== undefined);
    const saved: string[] = [];
    try {
      for (const _ of [1, 2]) {
        await run('a2a.newRequestFile', 'Money');
        const path = opened().uri.path;
        saved.push(path);
        assert.equal(dirname(path), folder.path);
        assert.ok(await opened().save());
        assert.match(await readFile(path, 'utf8'), /"agent": "Money"/);
      }
      assert.equal(new Set(saved).size, 2);
    } finally {
      await Promise.all(saved.map(path => rm(path, { force: true })));
    }
  });

  test('a card is a form without a fault', async () => {
    await run('a2a.newAgentCard');
    const document = opened();
    assert.equal(document.languageId, 'a2a-card');
    assert.equal(document.getText(vscode.window.activeTextEditor?.selection), 'My Agent');
    assert.equal((JSON.parse(document.getText()) as { skills: { tags: string[] }[] }).skills[0]?.tags[0], 'questions');
    // A fault is underlined a moment later, so one is made for comparison.
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), document.getText().replace('"text/plain"', '"text"'));
    await eventually(() => assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []));
    await vscode.workspace.applyEdit(edit);
    await eventually(() => assert.equal(vscode.languages.getDiagnostics(document.uri).length, 1));
  });

  test('a chat becomes a request file', async () => {
    const file = await vscode.workspace.openTextDocument({
      language: 'a2a',
      content: JSON.stringify({
        agent: 'Money',
        requests: [
          { name: 'ask', message: 'How much is 10 USD?' },
          { name: 'answer', after: 'ask', message: '{{target}}' },
        ],
        variables: { target: 'EUR' },
      }),
    });
    await vscode.window.showTextDocument(file);
    await run('a2a.sendRequest', file.uri.toString(), 'answer');
    await eventually(async () => {
      const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', file.uri, 100);
      assert.ok(
        lenses.some(({ command }) => /^.*completed · /.test(command?.title ?? '')),
        lenses.map(({ command }) => command?.title).join(' | '),
      );
    });
    await run('a2a.openRequestInChat', file.uri.toString(), 'answer');
    await eventually(async () => {
      await run('a2a.requestFromTask');
      assert.equal(opened().languageId, 'a2a');
      assert.deepEqual(JSON.parse(opened().getText()), {
        requests: [
          { name: 'how-much-is-10-usd', agent: 'Money', message: 'How much is 10 USD?' },
          { name: 'eur', agent: 'Money', after: 'how-much-is-10-usd', message: 'EUR' },
        ],
      });
    });
    await run('a2a.openRequestInChat', file.uri.toString(), 'answer');
    await eventually(async () => {
      // Where the chat is not the active one yet, the command waits until its notification is closed.
      await Promise.race([run('a2a.recordTest'), new Promise(resolve => setTimeout(resolve, 2_000))]);
      const { requests } = JSON.parse(opened().getText()) as { requests: { name: string; after?: string; expect: { state: string } }[] };
      assert.deepEqual(
        requests.map(({ name, after, expect }) => [name, after, expect.state]),
        [
          ['how-much-is-10-usd', undefined, 'input-required'],
          ['eur', 'how-much-is-10-usd', 'completed'],
        ],
      );
    });
  });
});
