import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

/** What the manifest says once VS Code has put the strings of its language in. */
const named = (): readonly string[] => {
  const { contributes } = vscode.extensions.all.find(({ packageJSON }) => (packageJSON as { name: string }).name === 'a2a-workbench')?.packageJSON as { contributes: { jsonValidation: { url: string }[] } };
  return contributes.jsonValidation.map(({ url }) => url);
};

suite('schemas', () => {
  test('are those of the language, and VS Code checks files with them', async () => {
    const names = named();
    assert.equal(names.length, 3);
    for (const name of names) assert.match(name, /dist\/schemas\/[a-z0-9-]+\.schema\.(?:zh-cn\.)?json$/);
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder !== undefined);
    const uri = vscode.Uri.joinPath(folder.uri, 'wrong.a2a');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{ "message": ["a"], "methud": "x" }'));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await eventually(() => assert.deepEqual(vscode.languages.getDiagnostics(uri).map(({ message }) => message).filter(message => message.includes('methud')), ['Property methud is not allowed.']));
  });
});
