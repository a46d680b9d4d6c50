import * as vscode from 'vscode';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { completeStep } from '../../platform/contextKeys.ts';
import { escapeControls } from '../../platform/untrustedText.ts';
import { explain, inARow, translate } from '../../platform/report.ts';
import { verdictOf } from './testMessages.ts';

/** A test that has ended. */
interface EndedTest {
  readonly entry: RequestEntry;
  readonly outcome: RequestOutcome;
  readonly document: vscode.TextDocument;
  readonly title: string;
  /** Status for the output. */
  readonly status: string;
}

/** Reports the results of tests to a run of the Test Explorer, each test once. */
export class TestReport {
  readonly #run: vscode.TestRun;
  readonly #waiting = new Set<vscode.TestItem>();
  readonly #over = new Set<vscode.TestItem>();

  constructor(run: vscode.TestRun) {
    this.#run = run;
  }

  enqueued(test: vscode.TestItem): void {
    this.#waiting.add(test);
    this.#run.enqueued(test);
  }

  started(test: vscode.TestItem): void {
    if (this.#over.has(test)) return;
    this.#waiting.add(test);
    this.#run.started(test);
  }

  ended(test: vscode.TestItem, ended: EndedTest): void {
    if (!this.#ends(test)) return;
    completeStep('a2a.testFinished');
    const { entry, outcome, document } = ended;
    const { verdict, messages } = verdictOf(entry, outcome, document);
    const ms = outcome.endedAt - outcome.startedAt;
    this.#print(test, ended);
    if (verdict === 'passed') this.#run.passed(test, ms);
    else this.#run[verdict](test, [...messages], ms);
  }

  errored(test: vscode.TestItem, error: unknown): void {
    const { message, nextStep } = explain(error);
    if (this.#ends(test)) this.#run.errored(test, new vscode.TestMessage(inARow(message, nextStep)));
  }

  /** Marks a test as skipped because it was not sent, with the reason in the output. */
  skippedAs(test: vscode.TestItem, ended: EndedTest): void {
    if (!this.#over.has(test)) this.#print(test, ended);
    this.skipped(test);
  }

  skipped(test: vscode.TestItem): void {
    if (this.#ends(test)) this.#run.skipped(test);
  }

  /** Marks a test as skipped because its file skips it, with the reason in the output. */
  leftOut(test: vscode.TestItem, title: string, why: string): void {
    if (this.#over.has(test)) return;
    this.note(title, why, test);
    this.skipped(test);
  }

  /** Adds the status of a request that has no result yet, or is not a test, to the output. */
  note(title: string, status: string, test?: vscode.TestItem): void {
    this.#line(vscode.l10n.t('{0}: {1}', title, status), test);
  }

  /** Marks all tests without a result as skipped. */
  rest(): void {
    for (const test of this.#waiting) this.skipped(test);
  }

  #print(test: vscode.TestItem, { title, status, outcome }: EndedTest): void {
    this.note(title, status, test);
    if (outcome.sent !== undefined) this.#line(vscode.l10n.t('It was sent {0} times.', outcome.sent), test);
    if (outcome.remark !== undefined) this.#line(translate(outcome.remark), test);
    const written = outcome.expectations?.find(({ kind, ok }) => kind === 'snapshot' && ok);
    if (written !== undefined && outcome.snapshot?.result !== 'same') this.#line(translate(written.message), test);
  }

  #line(text: string, test: vscode.TestItem | undefined): void {
    this.#run.appendOutput(`${escapeControls(text)}\r\n`, undefined, test);
  }

  #ends(test: vscode.TestItem): boolean {
    this.#waiting.delete(test);
    if (this.#over.has(test)) return false;
    this.#over.add(test);
    return true;
  }
}
