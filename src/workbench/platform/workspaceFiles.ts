import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { checkNamed, SandboxedFiles } from '../../request/values/sandboxedFiles.ts';

/**
 * Opens a file that a search of the workspace found. VS Code would wait for a pipe for ever and follow a link to anywhere, so that is
 * looked at before. Rejects with a `Problem`: `file-outside`, `no-file`, `file-too-large`.
 */
export async function openFound(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
  if (isUnopenedFile(uri)) await new SandboxedFiles({ root, folder: root }).check(uri.fsPath);
  return vscode.workspace.openTextDocument(uri);
}

/** Opens a file that the person chose, wherever a link in its place leads. Rejects with a `Problem`: `no-file`, `file-too-large`. */
export async function openChosen(uri: vscode.Uri): Promise<vscode.TextDocument> {
  if (isUnopenedFile(uri)) await checkNamed(uri.fsPath);
  return vscode.workspace.openTextDocument(uri);
}

/** What somebody opened already is not read again. */
const isUnopenedFile = (uri: vscode.Uri): boolean =>
  uri.scheme === 'file' && !vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
