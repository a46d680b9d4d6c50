import type * as vscode from 'vscode';

/** A test that failed, with its message. */
export interface FailedTest {
  readonly test: vscode.TestItem;
  /** Undefined where the menu is that of the test, which VS Code gives without. */
  readonly message?: vscode.TestMessage | undefined;
}

/** The argument from the menu of a test, or of a message of it, in the results of tests. */
export function failedTest(argument: unknown): FailedTest | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  if ('children' in argument) return { test: argument as vscode.TestItem };
  return 'test' in argument && argument.test !== undefined && 'message' in argument ? (argument as FailedTest) : undefined;
}
