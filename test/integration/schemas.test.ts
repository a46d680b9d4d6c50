import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

/** What the manifest says once VS Code has put the strings of its language in. */
const named = (): readonly string[] => {
  const { contributes } = vscode.extensions.all.find(({ packageJSON }) => (packageJSON as { name: string }).name === 'a2a-workbench')
    ?.packageJSON as { contributes: { jsonValidation: { url: string }[] } };
  return contributes.jsonValidation.map(({ url }) => url);
};

suite('schemas', () => {
  test('are those of the language, and what they do not allow is an error with a fix, said once', async () => {
    const names = named();
    assert.equal(names.length, 4);
    for (const name of names) assert.match(name, /dist\/schemas\/[a-z0-9-]+\.schema\.(?:zh-cn\.)?json$/);
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder !== undefined);
    const uri = vscode.Uri.joinPath(folder.uri, 'wrong.a2a');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{ "message": ["a"], "methud": "x" }'));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await eventually(() =>
      assert.deepEqual(
        vscode.languages
          .getDiagnostics(uri)
          .filter(({ message }) => message.includes('methud'))
          .map(({ message, severity }) => [message, severity]),
        [['Unknown key "methud". Did you mean "method"?', vscode.DiagnosticSeverity.Error]],
      ),
    );
    const range = vscode.languages.getDiagnostics(uri).find(({ message }) => message.includes('methud'))!.range;
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const [first, second] = fixes.filter(({ edit }) => edit !== undefined);
    assert.deepEqual([first?.title, first?.isPreferred, second?.title], ['Change to "method"', true, 'Remove "methud"']);
    assert.equal(first?.edit?.get(uri)[0]?.newText, '"method"');
    // The JSON support still knows what a file may have.
    const offered = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      document.positionAt(document.getText().indexOf('"methud"') + 1),
    );
    assert.ok(offered.items.some(({ label }) => String(typeof label === 'string' ? label : label.label).includes('params')));
  });
});
