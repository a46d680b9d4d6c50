import * as vscode from 'vscode';

/**
 * A URI for an unsaved file with a name that no open one has. The extension is set from the start: schemas and languages are matched by
 * name.
 */
export function untitledDocument(stem: string, extension: string): vscode.Uri {
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.from({ scheme: 'untitled', path: `${stem}-${number}${extension}` });
    if (!taken.has(uri.toString())) return uri;
  }
}

/** Opens an unsaved file with this text. */
export async function openUntitled(stem: string, extension: string, text: string): Promise<vscode.TextEditor> {
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(untitledDocument(stem, extension)));
  await editor.edit(edit => edit.insert(new vscode.Position(0, 0), text));
  return editor;
}
