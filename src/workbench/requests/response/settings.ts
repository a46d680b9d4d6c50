import * as vscode from 'vscode';

/** The editor column in which a response is opened first. */
export function responseColumn(): vscode.ViewColumn {
  return vscode.workspace.getConfiguration().get<string>('a2a.responseColumn') === 'active'
    ? vscode.ViewColumn.Active
    : vscode.ViewColumn.Beside;
}

/** True if a response is shown as a rendered page too. */
export const previewsResponses = (): boolean => vscode.workspace.getConfiguration().get<boolean>('a2a.responsePreview') === true;

/** True if the focus moves to a response. */
export const responseTakesFocus = (): boolean => vscode.workspace.getConfiguration().get<boolean>('a2a.responseTakesFocus') === true;
