import * as vscode from 'vscode';

/** All context keys of `when` clauses. A test compares this list with those of the manifest. */
const contextKeys = ['a2a.sampleAgentsRunning', 'a2a.agentsKnown', 'a2a.notOpened', 'a2a.requestsInMarkdown'] as const;
/** Context keys that complete a step of the walkthrough. A test compares this list with the manifest's completion events. */
const stepKeys = [
  'a2a.agentAdded',
  'a2a.answerReceived',
  'a2a.taskOpened',
  'a2a.requestAnswered',
  'a2a.testFinished',
  'a2a.checkFinished',
  'a2a.cardOpened',
] as const;
type ContextKey = (typeof contextKeys)[number];
type StepKey = (typeof stepKeys)[number];

export function setContextKey(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

/**
 * Completes a step of the walkthrough. Called when something happened, not when a command starts: what it asks may be canceled. The key is
 * true for a moment only, since VS Code reads the walkthrough when it is first opened and ignores keys that are true by then.
 */
export function completeStep(key: StepKey): void {
  for (const value of [true, false]) void vscode.commands.executeCommand('setContext', key, value);
}
