import * as vscode from 'vscode';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import { checkExpectations } from '../../../request/expect/expectations.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { escapeControls } from '../../platform/untrustedText.ts';
import { explain, translate } from '../../platform/report.ts';
import { shownSecrets } from '../../platform/shownSecrets.ts';

/** How a request came out as a test. */
export interface TestVerdict {
  readonly verdict: 'passed' | 'failed' | 'errored';
  readonly messages: readonly vscode.TestMessage[];
}

/**
 * What of an outcome is not as expected, each where it is written; with both sides where they can be compared. Where the request did not
 * come through, nothing of it was wrong and the test could not be done: an error.
 */
export function verdictOf(entry: RequestEntry, outcome: RequestOutcome, document: vscode.TextDocument): TestVerdict {
  const { problem } = outcome;
  const wrong = (outcome.expectations ?? checkExpectations(entry, {}, outcome)).filter(({ ok }) => !ok);
  const errored = problem !== undefined && wrong.every(({ kind }) => kind === 'answer');
  const messages = wrong.map(({ message, expected, actual, range }) => {
    const words = escapeControls(
      errored ? [explain(problem).message, explain(problem).nextStep].filter(Boolean).join(' ') : translate(message),
    );
    const told =
      expected === undefined || actual === undefined
        ? new vscode.TestMessage(words)
        : vscode.TestMessage.diff(words, shownSecrets.mask(expected), shownSecrets.mask(actual));
    told.location = new vscode.Location(document.uri, rangeIn(document, range));
    return told;
  });
  return { verdict: wrong.length === 0 ? 'passed' : errored ? 'errored' : 'failed', messages };
}
