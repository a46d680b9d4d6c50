import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { checkNamed, SandboxedFiles } from '../../request/values/sandboxedFiles.ts';

/**
 * Opens a file that a search of the workspace found. Checked before: VS Code would wait for a named pipe forever and follow a link out of
 * the workspace. Rejects with a `Problem`: `file-outside`, `no-file` or `file-too-large`.
 */
export async function openSearchResult(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
  if (isUnopenedFile(uri)) await new SandboxedFiles({ root, folder: root }).check(uri.fsPath);
  return vscode.workspace.openTextDocument(uri);
}

/** Opens a file that the person chose; links are followed. Rejects with a `Problem`: `no-file` or `file-too-large`. */
export async function openPickedFile(uri: vscode.Uri): Promise<vscode.TextDocument> {
  if (isUnopenedFile(uri)) await checkNamed(uri.fsPath);
  return vscode.workspace.openTextDocument(uri);
}

/** An open document is not read from disk again. */
const isUnopenedFile = (uri: vscode.Uri): boolean =>
  uri.scheme === 'file' && !vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());

/** True where there is a file or a folder; one that cannot be looked at is none. */
export const exists = async (uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
