import * as vscode from 'vscode';

/** Where a response opens that is not open yet. */
export function responseColumn(): vscode.ViewColumn {
  return vscode.workspace.getConfiguration().get<string>('a2a.responseColumn') === 'active'
    ? vscode.ViewColumn.Active
    : vscode.ViewColumn.Beside;
}

/** Whether the cursor goes to a response. */
export const responseTakesFocus = (): boolean => vscode.workspace.getConfiguration().get<boolean>('a2a.responseTakesFocus') === true;
