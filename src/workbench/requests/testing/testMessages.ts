import * as vscode from 'vscode';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import { checkExpectations } from '../../../request/expect/expectations.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { fixableMessage, snapshotMessage } from '../../platform/contextValues.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { escapeControls } from '../../platform/untrustedText.ts';
import { explain, inARow, translate } from '../../platform/report.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';

/** Result of a request as a test. */
export interface TestVerdict {
  readonly verdict: 'passed' | 'failed' | 'errored';
  readonly messages: readonly vscode.TestMessage[];
}

/**
 * Compares an outcome with the request's expectations: one message for each that failed, at its place in the document, with expected and
 * actual value where both are known. If the request failed and no other expectation did, the verdict is `errored`: the test could not be
 * carried out.
 */
export function verdictOf(entry: RequestEntry, outcome: RequestOutcome, document: vscode.TextDocument): TestVerdict {
  const { problem } = outcome;
  const wrong = (outcome.expectations ?? checkExpectations(entry, {}, outcome)).filter(({ ok }) => !ok);
  const errored = problem !== undefined && wrong.every(({ kind }) => kind === 'answer');
  const messages = wrong.map(({ kind, message, expected, actual, range }) => {
    const words = escapeControls(errored ? inARow(explain(problem).message, explain(problem).nextStep) : translate(message));
    const testMessage =
      expected === undefined || actual === undefined
        ? new vscode.TestMessage(words)
        : vscode.TestMessage.diff(words, secretsToMask.mask(expected), secretsToMask.mask(actual));
    testMessage.contextValue = kind === 'snapshot' && outcome.snapshot?.came !== undefined ? snapshotMessage : fixableMessage;
    testMessage.location = new vscode.Location(document.uri, rangeIn(document, range));
    return testMessage;
  });
  return { verdict: wrong.length === 0 ? 'passed' : errored ? 'errored' : 'failed', messages };
}
