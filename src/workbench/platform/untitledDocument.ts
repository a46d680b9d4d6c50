import { homedir } from 'node:os';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { exists } from './workspaceFiles.ts';

/**
 * A URI for an unsaved file with a name that no file and no open editor has. VS Code saves such a file without a question where its path
 * is: in the first folder of the workspace that is on this machine, else in the home folder. The extension is set from the start: schemas
 * and languages are matched by name.
 */
export async function untitledDocument(stem: string, extension: string): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (let number = 1; ; number++) {
    const file = vscode.Uri.joinPath(folder, `${stem}-${number}${extension}`);
    const uri = file.with({ scheme: 'untitled' });
    if (!taken.has(uri.toString()) && !(await exists(file))) return uri;
  }
}

/** Name of a file for people: its path in the workspace; one that was never saved has a name and no path. */
export const fileLabel = (uri: vscode.Uri): string =>
  uri.scheme === 'untitled' ? posix.basename(uri.path) : vscode.workspace.asRelativePath(uri);

/** Opens an unsaved file with this text. */
export async function openUntitled(stem: string, extension: string, text: string): Promise<vscode.TextEditor> {
  const uri = await untitledDocument(stem, extension);
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  await editor.edit(edit => edit.insert(new vscode.Position(0, 0), text));
  return editor;
}
