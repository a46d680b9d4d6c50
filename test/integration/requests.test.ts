import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { startSampleAgents } from '../support/sampleAgents.ts';

/** Titles of the lenses of a document, once there are any. */
async function lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  return eventually(async () => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
    assert.ok(found.length > 0, 'no lens');
    return found;
  });
}

const titles = (found: readonly vscode.CodeLens[]): string[] => found.map(lens => lens.command?.title ?? '');

suite('requests', () => {
  let agents: Awaited<ReturnType<typeof startSampleAgents>>;
  suiteSetup(async () => {
    agents = await startSampleAgents();
  });
  suiteTeardown(() => agents.stop());

  async function open(name: string, file: unknown): Promise<vscode.TextDocument> {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder !== undefined);
    const uri = vscode.Uri.joinPath(folder.uri, name);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify(file, null, 2)));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
    return document;
  }

  async function press(document: vscode.TextDocument, title: RegExp, index = 0): Promise<void> {
    const lens = (await lenses(document)).filter(({ command }) => title.test(command?.title ?? ''))[index];
    assert.ok(lens?.command !== undefined, `no lens like ${title.source}`);
    await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments ?? []));
  }

  const response = (): vscode.TextDocument | undefined =>
    vscode.window.visibleTextEditors.map(({ document }) => document).find(({ uri }) => uri.scheme === 'a2a-response');

  test('a lens sends a request and shows the result beside', async () => {
    const document = await open('convert.a2a', {
      agent: agents.urls.Currency,
      requests: [{ name: 'convert', message: 'Convert 10 USD to EUR' }],
    });
    assert.ok(titles(await lenses(document)).some(title => title.includes('Send Request')));
    await press(document, /Send Request/);
    await eventually(async () => {
      assert.ok(
        titles(await lenses(document)).some(title => /completed · [\d.]+ m?s/.test(title)),
        titles(await lenses(document)).join(' | '),
      );
    });
    await eventually(() => {
      const text = response()?.getText() ?? '';
      assert.match(text, /TASK_STATE_COMPLETED/);
      assert.match(text, /EUR/);
    });
    assert.equal(
      vscode.window.visibleTextEditors.some(editor => editor.document.uri.scheme === 'a2a-response'),
      true,
    );
  });

  test('a snapshot that differs is updated by its lens', async () => {
    const document = await open('snapshot.a2a', {
      agent: agents.urls.Currency,
      requests: [{ name: 'convert', message: 'Convert 10 USD to EUR', expect: { snapshot: true } }],
    });
    const kept = vscode.Uri.joinPath(document.uri, '../__snapshots__/snapshot.a2a.snap.json');
    const read = async (): Promise<string> => Buffer.from(await vscode.workspace.fs.readFile(kept)).toString();
    const shows = (pattern: RegExp): Promise<void> =>
      eventually(async () =>
        assert.ok(
          titles(await lenses(document)).some(title => pattern.test(title)),
          titles(await lenses(document)).join(' | '),
        ),
      );
    await press(document, /Send Request/);
    await shows(/completed · .*✓1/);
    const first = await read();
    assert.match(first, /"convert": \{[^]*TASK_STATE_COMPLETED/);
    await vscode.workspace.fs.writeFile(kept, Buffer.from(first.replace('TASK_STATE_COMPLETED', 'TASK_STATE_FAILED')));
    await press(document, /Send Request/);
    await shows(/✗1/);
    await press(document, /Update Snapshot/);
    await shows(/completed · .*✓1/);
    assert.equal(await read(), first);
    assert.ok(!titles(await lenses(document)).includes('Update Snapshot'));
    await vscode.workspace.fs.delete(kept);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
    // VS Code hears of new tests a moment later, and runs those that it knows.
    await eventually(async () => {
      await vscode.commands.executeCommand('testing.runCurrentFile');
      assert.equal(await read(), first);
    });
  });

  test('a request that follows another answers the task that waits', async () => {
    const document = await open('ask.a2a', {
      agent: agents.urls.Currency,
      requests: [
        { name: 'ask', message: 'How much is 10 USD?' },
        { name: 'answer', after: 'ask', message: 'EUR' },
        { name: 'look', method: 'GetTask', params: { id: '{{ask.task.id}}' } },
      ],
    });
    await press(document, /Send Request/, 2);
    await eventually(async () => {
      const shown = titles(await lenses(document));
      assert.ok(
        shown.some(title => /input.required · /.test(title)),
        shown.join(' | '),
      );
    });
    await press(document, /Send Request/, 1);
    await eventually(async () => {
      const shown = titles(await lenses(document));
      assert.ok(
        shown.some(title => /^(?!.*input).*completed · /.test(title)),
        shown.join(' | '),
      );
    });
  });

  test('a request to a dead port says so on its lens', async () => {
    const document = await open('dead.a2a', { agent: 'http://127.0.0.1:9', requests: [{ name: 'a', message: 'hi' }] });
    await press(document, /Send Request/);
    await eventually(async () => {
      const shown = titles(await lenses(document));
      assert.ok(
        shown.some(title => /listens|connect|reach/i.test(title)),
        shown.join(' | '),
      );
    });
  });

  test('responses share one tab, which takes the focus where the settings say so', async () => {
    const document = await open('tab.a2a', {
      agent: agents.urls.Currency,
      requests: [
        { name: 'one', message: 'What can you do?' },
        { name: 'two', message: 'Who are you?' },
      ],
    });
    const settings = vscode.workspace.getConfiguration();
    const tabs = (): vscode.TabInputText[] =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs: all }) => all.map(({ input }) => input))
        .filter(input => input instanceof vscode.TabInputText)
        .filter(({ uri }) => uri.scheme === 'a2a-response' && uri.path.startsWith('/tab '));
    const front = (): string | undefined => vscode.window.activeTextEditor?.document.uri.scheme;
    await press(document, /Send Request/);
    await eventually(() => assert.match(response()?.getText() ?? '', /"request": "one"/));
    assert.equal(front(), 'file');
    await settings.update('a2a.responseTakesFocus', true, vscode.ConfigurationTarget.Workspace);
    try {
      await press(document, /Send Request/, 1);
      await eventually(() => assert.match(response()?.getText() ?? '', /"request": "two"/));
      assert.equal(front(), 'a2a-response');
      assert.equal(tabs().length, 1);
    } finally {
      await settings.update('a2a.responseTakesFocus', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });
});
