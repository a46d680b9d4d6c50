import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

const folder = (): vscode.Uri => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first !== undefined);
  return first.uri;
};

/** Opens a file whose text has the caret at `|`, as it is when nothing but the caret is left out. */
async function open(name: string, marked: string): Promise<{ document: vscode.TextDocument; at: vscode.Position }> {
  const offset = marked.indexOf('|');
  const uri = vscode.Uri.joinPath(folder(), name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(marked.replace('|', '')));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return { document, at: document.positionAt(Math.max(0, offset)) };
}

const run = <T>(command: string, ...args: unknown[]): Promise<T> => Promise.resolve(vscode.commands.executeCommand<T>(command, ...args));
const text = (document: vscode.TextDocument, range: vscode.Range | undefined): string =>
  range === undefined ? '' : document.getText(range);

const file = `{
  "agent": "Currency",
  "variables": { "amount": 10, "pass": "{{$secret KEY}}" },
  "requests": [
    { "name": "ask", "message": "Convert {{amount}} USD" },
    { "name": "look", "method": "GetTask", "params": { "id": "{{ask.task.id}}" } },
    { "name": "more", "after": "ask", "message": "EUR {{amount}}" }
  ]
}
`;
const caretIn = (part: string, inside: string): string => {
  assert.ok(file.includes(part), part);
  return file.replace(part, inside);
};

suite('language of request files', () => {
  test('variables, requests and functions are offered in braces, and the method once', async () => {
    const { document, at } = await open('complete.a2a', caretIn('EUR {{amount}}', 'EUR {{|}}'));
    await eventually(async () => {
      const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
      const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      for (const wanted of ['amount', 'ask', '$uuid', '$secret NAME'])
        assert.ok(labels.includes(wanted), `${wanted} in ${labels.join(' ')}`);
    });
    const method = await open('method.a2a', '{ "agent": "Currency", "method": "|" }');
    await eventually(async () => {
      const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', method.document.uri, method.at);
      const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label).replaceAll('"', ''));
      assert.equal(labels.filter(label => label === 'GetTask').length, 1, labels.join(' '));
    });
  });

  test('each request that is offered in a list is JSON once it is inserted, with its references', async () => {
    const offered: string[] = [];
    for (const label of ['Message', 'Follow-up', 'Get task', 'List tasks', 'Cancel task']) {
      const { document, at } = await open(`${label}.a2a`, '{ "agent": "Currency", "requests": [|] }');
      const item = await eventually(async () => {
        const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
        const found = items.find(one => one.label === label);
        assert.ok(found !== undefined, label);
        return found;
      });
      assert.ok(item.insertText instanceof vscode.SnippetString, label);
      await vscode.window.activeTextEditor?.insertSnippet(item.insertText, at);
      const { requests } = JSON.parse(document.getText()) as { readonly requests: readonly object[] };
      offered.push(JSON.stringify(requests[0]));
      await document.save();
    }
    assert.equal(offered.length, 5);
    for (const method of ['GetTask', 'CancelTask'])
      assert.ok(
        offered.some(request => request.includes(method) && request.includes('"{{ask.task.id}}"')),
        offered.join('\n'),
      );
  });

  test('an empty file is offered one request and one of several, with the agents that are there', async () => {
    const configuration = vscode.workspace.getConfiguration('a2a');
    await configuration.update(
      'agents',
      { Ann: { url: 'http://127.0.0.1:9' }, Bo: { url: 'http://127.0.0.1:10' } },
      vscode.ConfigurationTarget.Workspace,
    );
    try {
      const { document, at } = await open('empty.a2a', '|');
      await eventually(async () => {
        const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
        // Words of other files are VS Code's own.
        const offered = items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text);
        assert.deepEqual(
          offered.map(({ label }) => (typeof label === 'string' ? label : label.label)),
          ['Request', 'Requests'],
        );
        for (const { insertText } of offered) assert.match((insertText as vscode.SnippetString).value, /"agent": "\$\{1\|Ann,Bo\|\}"/);
      });
    } finally {
      await configuration.update('agents', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('a hover tells a variable and hides a secret', async () => {
    const hovered = async (marked: string): Promise<string> => {
      const { document, at } = await open('hover.a2a', marked);
      return eventually(async () => {
        const found = await run<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
        const words = found
          .flatMap(({ contents }) => contents.map(one => (typeof one === 'string' ? one : one.value)))
          .join('\n')
          .replaceAll('&nbsp;', ' ');
        assert.match(words, /Variable/);
        return words;
      });
    };
    assert.match(await hovered(caretIn('Convert {{amount}}', 'Convert {{am|ount}}')), /amount[^]*from this file[^]*10/);
    assert.match(await hovered(caretIn('"pass"', '"pa|ss"')), /••••••/);
  });

  test('a reference leads to its definition and back, and a rename changes them all', async () => {
    const { document, at } = await open('rename.a2a', caretIn('{{ask.task.id}}', '{{a|sk.task.id}}'));
    const [definition] = await run<vscode.Location[]>('vscode.executeDefinitionProvider', document.uri, at);
    assert.equal(text(document, definition?.range), 'ask');
    assert.equal(definition?.range.start.line, 4);
    const references = await run<vscode.Location[]>('vscode.executeReferenceProvider', document.uri, at);
    assert.deepEqual(
      references.map(({ range }) => range.start.line).sort((one, other) => one - other),
      [4, 5, 6],
    );
    const prepared = await run<{ range: vscode.Range; placeholder: string }>('vscode.prepareRename', document.uri, at);
    assert.equal(prepared.placeholder, 'ask');
    const edit = await run<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', document.uri, at, 'question');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(document.getText(), /"name": "question"[^]*\{\{question\.task\.id\}\}[^]*"after": "question"/);
    await assert.rejects(run('vscode.executeDocumentRenameProvider', document.uri, at, 'amount'), /already called "amount"/);
  });

  test('a quick fix mends a mistyped variable', async () => {
    const { document } = await open('fix.a2a', caretIn('EUR {{amount}}', 'EUR {{amuont}}{{$uudi}}'));
    const problem = await eventually(() => {
      const found = vscode.languages.getDiagnostics(document.uri).find(({ code }) => code === 'unknown-name');
      assert.ok(found !== undefined);
      return found;
    });
    const actions = await run<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, problem.range);
    const fix = actions.find(({ title }) => title === 'Change to "amount"');
    assert.ok(fix?.edit !== undefined, actions.map(({ title }) => title).join(', '));
    assert.ok(!actions.some(({ title }) => title.includes('$uuid')), 'that of the problem beside it is not offered');
    await vscode.workspace.applyEdit(fix.edit);
    await eventually(() =>
      assert.deepEqual(
        vscode.languages.getDiagnostics(document.uri).filter(({ code }) => code === 'unknown-name'),
        [],
      ),
    );
  });

  test('pieces in braces are coloured, requests and variables are in the outline', async () => {
    const { document } = await open('tokens.a2a', file);
    const tokens = await run<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', document.uri);
    assert.ok(tokens.data.length >= 5 * 10, `${tokens.data.length / 5} tokens`);
    const legend = await run<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', document.uri);
    assert.ok(legend.tokenTypes.includes('variable') && legend.tokenTypes.includes('function'));
    const symbols = await run<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    for (const wanted of ['amount', 'ask', 'look', 'more'])
      assert.ok(
        symbols.some(({ name }) => name === wanted),
        `${wanted} in ${symbols.map(({ name }) => name).join(', ')}`,
      );
  });

  test('fences of Markdown are checked, completed, explained and sent like a request file', async () => {
    const fences = [
      '```a2a\n{ "agent": "Currency", "variables": { "amount": 10 } }\n```',
      '```a2a\n{ "name": "ask", "message": "Convert {{amount}} USD", "expect": {} }\n```',
      '```a2a\n{ "name": "wrong", "mesage": "x", | }\n```',
    ];
    const { document, at } = await open('guide.md', `# Guide\n\n${fences.join('\n\ntext {{amont}}\n\n')}\n`);
    await eventually(() => {
      const found = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'a2a');
      assert.deepEqual(
        found.map(({ code, range }) => `${range.start.line + 1} ${String(code)} ${text(document, range)}`),
        ['16 unknown-key "mesage"'],
      );
    });
    const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    for (const wanted of ['message', 'expect', 'after']) assert.ok(labels.includes(wanted), `${wanted} in ${labels.join(' ')}`);
    const [hover] = await run<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      document.positionAt(document.getText().indexOf('"expect"') + 2),
    );
    assert.match(hover?.contents.map(one => (one as vscode.MarkdownString).value).join('') ?? '', /The expected result/);
    const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 20);
    assert.deepEqual(
      lenses.filter(({ command }) => command?.command === 'a2a.sendRequest').map(({ range }) => range.start.line + 1),
      [10],
    );
    const plain = await open('plain.md', '# Nothing\n\n```json\n{ "agent": 5 }\n|```\n');
    const none = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', plain.document.uri, 20);
    assert.deepEqual([none, vscode.languages.getDiagnostics(plain.document.uri)], [[], []]);
  });

  test('what a folder sets holds for its files, and its own file is checked and completed', async () => {
    const { document, at } = await open('set/a2a.defaults.json', '{ "agent": "Currency", "agnt": "x", | }');
    await eventually(async () => {
      const found = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'a2a');
      assert.deepEqual(
        found.map(({ code, range }) => `${String(code)} ${text(document, range)}`),
        ['unknown-key "agnt"'],
      );
      const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
      const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      for (const wanted of ['headers', 'timeoutMs'])
        assert.ok(
          labels.some(label => label.includes(wanted)),
          labels.join(' '),
        );
    });
    const below = await open('set/below.a2a', '{ "message": "hello" }|');
    const settled = async (codes: readonly string[]): Promise<void> =>
      eventually(() => {
        const found = vscode.languages.getDiagnostics(below.document.uri).filter(({ source }) => source === 'a2a');
        assert.deepEqual(
          found.map(({ code }) => code),
          codes,
        );
      });
    await settled([]);
    await vscode.workspace.fs.writeFile(document.uri, Buffer.from('{}'));
    await settled(['no-agent']);
  });

  // The schemas of matchers and of results are read from those that the build writes.
  test('what a matcher cannot have is marked, and what a result will have is offered with its words', async () => {
    const { document } = await open(
      'matchers.a2a',
      '{ "agent": "Currency", "message": "x", "expect": { "paths": { "text": { "lt": "x" } } } }|',
    );
    await eventually(() => {
      const found = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'a2a');
      assert.deepEqual(
        found.map(({ range }) => text(document, range)),
        ['"x"'],
        JSON.stringify(found),
      );
    });
    const { document: later, at } = await open('results.a2a', caretIn('{{ask.task.id}}', '{{ask.context.|}}'));
    await eventually(async () => {
      const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', later.uri, at);
      const shown = items.map(({ label, documentation, detail }) => JSON.stringify([label, detail, documentation]));
      assert.ok(
        shown.some(one => one.includes('Id of the context.')),
        shown.join(' ').slice(0, 2_000),
      );
    });
  });

  test('a text is formatted, comments kept', async () => {
    const { document } = await open('format.a2a', '// c\n{"agent":"Currency",\n\n"message":"x {{y}}",}\n');
    const edits = await eventually(async () => {
      const found = await run<vscode.TextEdit[] | undefined>('vscode.executeFormatDocumentProvider', document.uri, {
        tabSize: 2,
        insertSpaces: true,
      });
      assert.ok((found ?? []).length > 0);
      return found!;
    });
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    await vscode.workspace.applyEdit(edit);
    assert.equal(document.getText().trim(), '// c\n{\n  "agent": "Currency",\n\n  "message": "x {{y}}",\n}');
  });

  test('an environment is chosen, its values are known, and its definition lies in its file', async () => {
    const shared = vscode.Uri.joinPath(folder(), 'a2a.env.json');
    await vscode.workspace.fs.writeFile(
      shared,
      Buffer.from(JSON.stringify({ dev: { town: 'Turku' }, prod: { production: true, town: 'Oslo' } }, null, 2)),
    );
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder(), 'a2a.private.env.json'),
      Buffer.from(JSON.stringify({ dev: { code: 'hidden' } })),
    );
    const { document, at } = await open('places.a2a', '{ "agent": "Currency", "message": "{{to|wn}} {{code}}" }');
    const problems = (): string[] => vscode.languages.getDiagnostics(document.uri).map(({ code }) => String(code));
    await eventually(() => assert.equal(problems().filter(code => code === 'unknown-name').length, 2));
    await run('a2a.selectEnvironment', document.uri.toString(), 'dev');
    await eventually(() =>
      assert.deepEqual(
        problems().filter(code => code === 'unknown-name'),
        [],
      ),
    );
    const [definition] = await run<vscode.Location[]>('vscode.executeDefinitionProvider', document.uri, at);
    assert.equal(definition?.uri.fsPath, shared.fsPath);
    const lensTitles = async (): Promise<string[]> =>
      (await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100)).map(({ command }) => command?.title ?? '');
    assert.ok((await lensTitles()).some(title => title.endsWith('dev')));
    await run('a2a.previewRequest', document.uri.toString(), '#1');
    await eventually(() => {
      const shown =
        vscode.window.visibleTextEditors
          .map(editor => editor.document)
          .find(({ uri }) => uri.scheme === 'a2a-preview')
          ?.getText() ?? '';
      assert.match(shown, /Turku ••••••/);
    });
    await run('a2a.selectEnvironment', document.uri.toString(), 'prod');
    await eventually(async () => assert.ok((await lensTitles()).some(title => title.startsWith('$(warning)') && title.includes('prod'))));
    await vscode.workspace.fs.delete(shared);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'a2a.private.env.json'));
    await eventually(async () => assert.ok(!(await lensTitles()).some(title => title.includes('prod'))));
  });

  test('what is copied elsewhere comes in as a request', async () => {
    await run(
      'a2a.importRequest',
      'curl -X POST http://127.0.0.1:9/ -H "Authorization: Bearer x" -d \'{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"1","role":"user","parts":[{"kind":"text","text":"hi"}]}}}\'',
    );
    const imported = vscode.window.activeTextEditor?.document;
    assert.equal(imported?.languageId, 'a2a');
    assert.deepEqual(JSON.parse(imported?.getText() ?? ''), {
      agent: 'http://127.0.0.1:9/',
      interface: 'JSONRPC 0.3 http://127.0.0.1:9/',
      method: 'SendMessage',
      params: { message: { messageId: '1', parts: [{ text: 'hi' }] } },
      waitFor: 'response',
    });
    await run('workbench.action.revertAndCloseActiveEditor');
  });

  test('a request is copied as cURL and as code, with placeholders for secrets', async () => {
    const { document } = await open(
      'copy.a2a',
      '{ "agent": "http://127.0.0.1:9/", "method": "SendMessage", "message": "say {{$secret KEY}}" }',
    );
    await run('a2a.copyRequest', document.uri.toString(), '#1', 'curl');
    const command = await vscode.env.clipboard.readText();
    assert.match(command, /^curl http:\/\/127\.0\.0\.1:9\//);
    assert.match(command, /\$A2A_SECRET_KEY/);
    await run('a2a.copyRequest', document.uri.toString(), '#1', 'python');
    assert.match(await vscode.env.clipboard.readText(), /A2A_SECRET_KEY/);
  });
  test('a name of an imported file is renamed there, and the file that imports it follows', async () => {
    const uses = await open(
      'uses.a2a',
      '{ "import": "shared.a2a", "agent": "Currency", "requests": [{ "after": "login", "message": "{{login.task.id}} {{nobody}}" }] }',
    );
    const shared = await open('shared.a2a', '{ "agent": "Currency", "requests": [{ "name": "lo|gin", "message": "hi" }] }');
    const unknown = (): readonly string[] =>
      vscode.languages
        .getDiagnostics(uses.document.uri)
        .filter(({ code }) => code === 'unknown-name')
        .map(({ range }) => text(uses.document, range));
    await vscode.window.showTextDocument(uses.document);
    // The imported name is known, so that the other one alone is marked.
    await eventually(() => assert.deepEqual([unknown().length, unknown().join().includes('nobody')], [1, true]));
    const edit = await run<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', shared.document.uri, shared.at, 'enter');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(shared.document.getText(), /"name": "enter"/);
    assert.match(uses.document.getText(), /"after": "enter".*\{\{enter\.task\.id\}\}/);
    await eventually(() => assert.equal(unknown().length, 1));
  });
});
