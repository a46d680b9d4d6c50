import * as vscode from 'vscode';

/** All context keys that the extension sets. A test compares this list with the manifest's `when` clauses. */
const contextKeys = ['a2a.sampleAgentsRunning', 'a2a.agentsKnown', 'a2a.notOpened', 'a2a.requestsInMarkdown'] as const;
type ContextKey = (typeof contextKeys)[number];

export function setContextKey(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
