import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

/** Writes a file into the workspace, opens it, and waits until VS Code has said something about it. */
async function open(name: string, content: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder !== undefined);
  const uri = vscode.Uri.joinPath(folder.uri, name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** The text under each problem, with what is said of it. */
async function problems(document: vscode.TextDocument): Promise<string[]> {
  return eventually(() => {
    const found = vscode.languages.getDiagnostics(document.uri).map(problem => `${document.getText(problem.range)} | ${problem.message}`);
    assert.ok(found.length > 0, 'no problem is shown');
    return found;
  });
}

/** How severe the problems are that this text has. */
const severities = (document: vscode.TextDocument, text: string): vscode.DiagnosticSeverity[] =>
  vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => document.getText(range) === text)
    .map(({ severity }) => severity);

const card = {
  name: 'Harbour',
  description: 'Knows the berths.',
  version: '1.0.0',
  capabilities: { streaming: true },
  supportedInterfaces: [{ url: 'http://127.0.0.1:9999', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'berths', name: 'Berths', description: 'Lists free berths.', tags: ['harbour'] }],
};

suite('diagnostics', () => {
  test('a wrong type in a 1.0 agent card is underlined where it is', async () => {
    const document = await open('wrong.agent-card.json', JSON.stringify({ ...card, capabilities: { streaming: 'yes' } }, null, 2));
    const found = await problems(document);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0]!, /^"yes" \| "streaming" must be true or false/);
    assert.deepEqual(severities(document, '"yes"'), [vscode.DiagnosticSeverity.Error]);
  });

  test('what Git shows of the past counts as shown for reading', () =>
    assert.notEqual(vscode.workspace.fs.isWritableFileSystem('git'), true));

  // `review` is the other side of a pull request; no extension makes the other one.
  for (const scheme of ['review', 'a2a-reading']) {
    test(`what ${scheme} shows for reading has no problems of its own`, async () => {
      const wrongCard = JSON.stringify({ ...card, name: 7, capabilities: { streaming: 'yes' } }, null, 2);
      const wrongRequest = JSON.stringify({ agent: 'nobody', mesage: 'hello {{nothing}}' }, null, 2);
      const reading = vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: ({ path }) => (path.endsWith('.a2a') ? wrongRequest : wrongCard),
      });
      try {
        for (const [name, text] of [
          ['twice.agent-card.json', wrongCard],
          ['twice.a2a', wrongRequest],
        ] as const) {
          const own = await open(name, text);
          await problems(own);
          const past = await vscode.workspace.openTextDocument(own.uri.with({ scheme, query: '{"ref":"HEAD"}' }));
          assert.deepEqual([past.languageId, past.getText()], [own.languageId, text]);
          await vscode.window.showTextDocument(past);
          // The problems of a file that is opened later are there.
          await problems(await open(`later.${name}`, text));
          const found = vscode.languages.getDiagnostics(past.uri).map(({ source, message }) => `${source}: ${message}`);
          // VS Code's JSON support looks at any scheme that the manifest does not name.
          assert.deepEqual(scheme === 'a2a-reading' ? found.filter(problem => problem.startsWith('a2a')) : found, [], name);
        }
      } finally {
        reading.dispose();
      }
    });
  }

  test('a member that a 0.3 agent card needs is asked for', async () => {
    const { supportedInterfaces: _, ...rest } = card;
    const document = await open('old.agent-card.json', JSON.stringify({ ...rest, protocolVersion: '0.3.0' }, null, 2));
    assert.ok((await problems(document)).some(problem => /url/.test(problem)));
  });

  test('an agent card without faults has no problems', async () => {
    const wrong = await open('right.agent-card.json', JSON.stringify({ ...card, name: 1 }, null, 2));
    await problems(wrong);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(wrong.uri, new vscode.Range(0, 0, wrong.lineCount, 0), JSON.stringify(card, null, 2));
    await vscode.workspace.applyEdit(edit);
    await eventually(() => assert.deepEqual(vscode.languages.getDiagnostics(wrong.uri), []));
  });

  test('a fault in a request file is underlined where it is', async () => {
    const document = await open(
      'wrong.a2a',
      '{\n  "agent": "Currency",\n  "requests": [{ "name": "a", "method": "GetTusk", "params": { "id": "1" } }]\n}\n',
    );
    assert.equal(document.languageId, 'a2a');
    const found = await problems(document);
    assert.ok(
      found.some(problem => problem.startsWith('"GetTusk" |')),
      found.join('\n'),
    );
    assert.ok(severities(document, '"GetTusk"').includes(vscode.DiagnosticSeverity.Error));
  });

  test('comments and trailing commas in a request file are no faults', async () => {
    const document = await open(
      'commented.a2a',
      '{\n  // one\n  "agent": "Currency",\n  "requests": [{ "name": "a", "message": 1, },],\n}\n',
    );
    // VS Code 1.105 shows them in the first file, for the moment until its JSON support has our schema.
    await eventually(async () => {
      const found = await problems(document);
      assert.ok(
        found.every(problem => /^(1|"Currency") \|/.test(problem)),
        found.join('\n'),
      );
    });
  });

  test('keys and methods are offered', async () => {
    const document = await open('half.a2a', '{ "agent": "Currency", "requests": [{ "method": "" }] }');
    const at = document.positionAt(document.getText().indexOf('""') + 1);
    await eventually(async () => {
      const offered = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
      const labels = offered.items.map(item => String(typeof item.label === 'string' ? item.label : item.label.label));
      for (const method of ['SendMessage', 'GetTask', 'CancelTask'])
        assert.ok(
          labels.some(label => label.includes(method)),
          `${method} in ${labels.join(' ')}`,
        );
    });
  });
});
