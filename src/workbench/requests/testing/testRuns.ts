import * as vscode from 'vscode';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import type { Disposable } from '../../../model/emitter.ts';
import { gaveAnswer, type RequestRuns } from '../../../model/requests/requestRuns.ts';
import { cleanupsAfter, isCleanup, planOf } from '../../../request/file/control.ts';
import { sendOrder } from '../../../request/file/sendOrder.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { hasRows } from '../../../request/file/writtenRows.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';
import { translate } from '../../platform/report.ts';
import { openSearchResult } from '../../platform/workspaceFiles.ts';
import type { RequestSender } from '../sending/requestSender.ts';
import { outcomeStatus, statusOf } from '../session/requestStatus.ts';
import { chosenTests, rowIndex, type ChosenTests } from './chosenTests.ts';
import type { RequestItems } from './requestItems.ts';
import { TestReport } from './testReport.ts';

interface TestRunsNeeds {
  readonly controller: vscode.TestController;
  readonly sender: RequestSender;
  readonly items: RequestItems;
}

/** Runs tests of request files. */
export class TestRuns {
  readonly #needs: TestRunsNeeds;
  /** Listeners for requests whose result is shown. */
  readonly #shown = new Map<vscode.TestItem, Disposable>();
  /** Files whose tests are run now. */
  readonly #running = new Set<RequestRuns>();

  constructor(needs: TestRunsNeeds) {
    this.#needs = needs;
  }

  /** Runs file after file, and the requests of a file one after the other in their order. */
  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.#needs.controller.createTestRun(request);
    const report = new TestReport(run);
    try {
      const chosen = chosenTests(
        request,
        [...this.#needs.controller.items].map(([, item]) => item),
      );
      for (const tests of chosen.values()) for (const [test, rows] of tests) leavesOf(test, rows).forEach(leaf => report.enqueued(leaf));
      for (const [file, tests] of chosen) {
        // A test that the person picks runs even if its file skips it.
        const whole = request.include === undefined || request.include.includes(file);
        if (!token.isCancellationRequested) await this.#runFile(file, tests, report, token, whole);
      }
    } finally {
      report.rest();
      run.end();
    }
  }

  async #runFile(
    file: vscode.TestItem,
    tests: ChosenTests,
    report: TestReport,
    token: vscode.CancellationToken,
    whole: boolean,
  ): Promise<void> {
    const byKey = new Map([...tests.keys()].map(test => [test.id, test]));
    let stopping: vscode.Disposable | undefined;
    try {
      const document = await openSearchResult(file.uri!);
      const prepared = await this.#needs.sender.prepare(document, ({ key }) => byKey.has(key));
      if (prepared === undefined) return;
      const {
        session: { runs },
      } = prepared;
      const { sent: entries, omitted } = whole ? planOf(prepared.file, prepared.entries) : { sent: prepared.entries, omitted: new Map() };
      for (const [entry, why] of omitted) {
        const test = byKey.get(entry.key)!;
        leavesOf(test, tests.get(test)).forEach(leaf => report.leftOut(leaf, requestTitle(entry), translate(why)));
      }
      const options = { ...prepared.options, testRun: true };
      stopping = vscode.Disposable.from(
        token.onCancellationRequested(() => runs.stop()),
        { dispose: () => this.#running.delete(runs) },
      );
      this.#running.add(runs);
      // Requests that a test needs are sent again, once for all tests of the run.
      runs.forget(
        prepared.file.requests.filter(entry => entries.includes(entry) || isCleanup(entry)),
        prepared.file,
      );
      for (const entry of entries) {
        if (token.isCancellationRequested && !isCleanup(entry)) continue;
        const test = byKey.get(entry.key)!;
        const rows = tests.get(test);
        const sent = runs.sendOnce(entry, prepared.file, options, rows && new Set(rows.map(rowIndex)));
        const isReported = (needed: RequestEntry): boolean =>
          needed !== entry && byKey.has(needed.key) && !gaveAnswer(runs.get(needed.key)?.outcome);
        const reporting = {
          report,
          document,
          token,
          isSkipped: ({ problem }: RequestOutcome) =>
            problem?.code === 'nothing-to-clean-up' ||
            (problem?.code === 'needed-failed' && sendOrder([entry], prepared.file).some(isReported)),
        };
        await this.#follow(test, sent, reporting);
        this.#reportNext(test, sent, document, runs);
      }
      // Also after a stop; what came of those that are no tests is in the output.
      for (const entry of cleanupsAfter(prepared.file, one => runs.get(one.key) !== undefined)) {
        if (byKey.has(entry.key)) continue;
        const sent = runs.sendOnce(entry, prepared.file, options);
        await sent.done;
        report.note(requestTitle(entry), statusOf(sent).text);
      }
    } catch (error) {
      for (const [test, rows] of tests) leavesOf(test, rows).forEach(leaf => report.errored(leaf, error));
    } finally {
      stopping?.dispose();
    }
  }

  /** Reports what comes of the request once it is sent otherwise, as by its lens, or its answer is made the snapshot: lens and icon would differ. */
  #reportNext(test: vscode.TestItem, sent: RequestRun, document: vscode.TextDocument, runs: RequestRuns): void {
    this.#shown.get(test)?.dispose();
    let known = sent.outcome;
    const isReported = (next: RequestRun): boolean => {
      const isSame = known === undefined || next.outcome === known;
      known ??= next.outcome;
      return isSame;
    };
    const listener = runs.onDidChange(async next => {
      if (next.entry.key !== test.id || (next === sent && isReported(next)) || this.#running.has(runs)) return;
      this.#reportNext(test, next, document, runs);
      const run = this.#needs.controller.createTestRun(new vscode.TestRunRequest([test]));
      const report = new TestReport(run);
      try {
        await this.#follow(test, next, { report, document, token: new vscode.CancellationTokenSource().token, isSkipped: () => false });
      } finally {
        report.rest();
        run.end();
      }
    });
    this.#shown.set(test, listener);
  }

  async #follow(test: vscode.TestItem, sent: RequestRun, reporting: Reporting): Promise<void> {
    let known: string | undefined;
    const watching = sent.onDidChange(() => {
      const polling = sent.polling && translate(sent.polling);
      if (polling !== undefined && polling !== known) reporting.report.note(requestTitle(sent.entry), polling);
      known = polling;
    });
    try {
      await (hasRows(sent.entry) ? this.#followRows(test, sent, reporting) : followed(test, sent, reporting));
    } finally {
      watching.dispose();
    }
  }

  /** Reports each row as soon as it has ended. */
  async #followRows(test: vscode.TestItem, sent: RequestRun, { report, document, token, isSkipped }: Reporting): Promise<void> {
    const { entry } = sent;
    const title = requestTitle(entry);
    const look = (): void => {
      for (const row of sent.rows) {
        const item = this.#needs.items.row(test, row);
        const { outcome } = row;
        if (outcome !== undefined && !(token.isCancellationRequested && !isGood(outcome))) {
          report.ended(item, { entry, outcome, document, title: `${title} [${row.label}]`, status: outcomeStatus(outcome).text });
        } else if (!token.isCancellationRequested) report.started(item);
        if (outcome === undefined) break;
      }
    };
    const listener = sent.onDidChange(whereRowsChanged(sent, look));
    try {
      await sent.done;
      const outcome = sent.outcome!;
      look();
      // The run failed before its first row.
      if (sent.rows.length === 0 && !token.isCancellationRequested) {
        const ended = { entry, outcome, document, title, status: statusOf(sent).text };
        for (const item of leavesOf(test, undefined)) report[isSkipped(outcome) ? 'skippedAs' : 'ended'](item, ended);
      }
    } finally {
      listener.dispose();
    }
  }
}

interface Reporting {
  readonly report: TestReport;
  readonly document: vscode.TextDocument;
  readonly token: vscode.CancellationToken;
  /** True if a request that it needs failed and is itself reported as a test of this run. */
  readonly isSkipped: (outcome: RequestOutcome) => boolean;
}

async function followed(test: vscode.TestItem, sent: RequestRun, { report, document, token, isSkipped }: Reporting): Promise<void> {
  report.started(test);
  await sent.done;
  // Another one where the answer was made the snapshot since.
  const outcome = sent.outcome!;
  // A canceled request is no result about the agent.
  if (token.isCancellationRequested && !isGood(outcome)) return;
  const { entry } = sent;
  report[isSkipped(outcome) ? 'skippedAs' : 'ended'](test, {
    entry,
    outcome,
    document,
    title: requestTitle(entry),
    status: statusOf(sent).text,
  });
}

/** Items with a result of their own: the rows if there are any, else the test. */
function leavesOf(test: vscode.TestItem, rows: readonly vscode.TestItem[] | undefined): readonly vscode.TestItem[] {
  const all = rows ?? [...test.children].map(([, row]) => row);
  return all.length > 0 ? all : [test];
}

const isGood = ({ problem, expectations = [] }: RequestOutcome): boolean => problem === undefined && expectations.every(({ ok }) => ok);

/** Streams fire many changes; this calls `look` only when the list of rows was replaced: first known, or one more ended. */
function whereRowsChanged(sent: RequestRun, look: () => void): () => void {
  let last = sent.rows;
  return () => {
    if (sent.rows === last) return;
    last = sent.rows;
    look();
  };
}
