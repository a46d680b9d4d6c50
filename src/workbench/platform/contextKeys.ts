import * as vscode from 'vscode';

/** Every context key the extension sets, once. A test compares this list with the manifest's `when` clauses. */
const contextKeys = [
  'a2a.sampleAgentsRunning',
  'a2a.servedCards',
  'a2a.filtered',
  'a2a.groupedByTime',
  'a2a.agentsKnown',
  'a2a.notOpened',
] as const;
export type ContextKey = (typeof contextKeys)[number];

/** A list is for clauses such as `resourcePath in key`. */
export function setContextKey(key: ContextKey, value: boolean | readonly string[]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
