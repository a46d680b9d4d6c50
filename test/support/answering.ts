import * as vscode from 'vscode';

/** Answers what the window asks while the work lasts, in the order of the questions; gives what was asked. */
export async function answering<
  K extends 'showInputBox' | 'showWarningMessage' | 'showInformationMessage' | 'showErrorMessage' | 'showQuickPick',
>(question: K, answers: readonly unknown[], work: () => Promise<unknown>): Promise<readonly unknown[][]> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = window[question];
  const asked: unknown[][] = [];
  const rest = answers.values();
  window[question] = async (...args: unknown[]) => {
    asked.push(args);
    return rest.next().value;
  };
  try {
    await work();
  } finally {
    window[question] = before;
  }
  return asked;
}
