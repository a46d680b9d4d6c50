import * as vscode from 'vscode';

/** Every context key the extension sets, once. A test compares this list with the manifest's `when` clauses. */
export const contextKeys = ['a2a.sampleAgentsRunning'] as const;
export type ContextKey = (typeof contextKeys)[number];

export function setContextKey(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
