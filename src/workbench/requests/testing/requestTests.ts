import * as vscode from 'vscode';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import { gaveAnswer } from '../../../model/requests/requestRuns.ts';
import { sendOrder } from '../../../request/file/sendOrder.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { hasRows } from '../../../request/file/writtenRows.ts';
import type { LanguageContexts } from '../language/languageContexts.ts';
import { log } from '../../platform/log.ts';
import { escapeIcons } from '../../platform/untrustedText.ts';
import { explain } from '../../platform/report.ts';
import { isRequestDocument, requestTitle } from '../../documents/requestDocuments.ts';
import type { RequestSender } from '../sending/requestSender.ts';
import { outcomeStatus, statusOf } from '../session/requestStatus.ts';
import { throttled } from '../../platform/throttled.ts';
import { openSearchResult } from '../../platform/workspaceFiles.ts';
import { chosenTests, RequestItems, rowIndex, type ChosenTests } from './requestItems.ts';
import { TestReport } from './testReport.ts';

/** Maximum number of files that are listed, and the size up to which a file is read, in bytes. */
const maxFiles = 5_000;
const largestFile = 4 * 1024 * 1024;
const files = '**/*.a2a';
const updateMs = 500;

const isTest = ({ members }: RequestEntry): boolean => members.has('expect');

/** Shows request files in the Test Explorer: each request with expectations is a test, and so is each row of its data. */
export class RequestTests implements vscode.Disposable {
  readonly #sender: RequestSender;
  readonly #worlds: LanguageContexts;
  readonly #controller = vscode.tests.createTestController('a2a', 'A2A');
  readonly #items = new RequestItems(this.#controller);
  readonly #typed = new Map<string, ReturnType<typeof throttled>>();
  readonly #registration: vscode.Disposable;
  #listed = false;

  constructor({ sender, worlds }: { readonly sender: RequestSender; readonly worlds: LanguageContexts }) {
    this.#sender = sender;
    this.#worlds = worlds;
    this.#controller.resolveHandler = item => (item === undefined ? this.#list() : this.#look(item.uri!));
    this.#controller.refreshHandler = () => this.#list();
    const profile = this.#controller.createRunProfile(
      vscode.l10n.t('Run'),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#start(request, token),
      true,
    );
    profile.supportsContinuousRun = true;
    const watcher = vscode.workspace.createFileSystemWatcher(files);
    const look = (uri: vscode.Uri): void => void (this.#listed || this.#item(uri) !== undefined ? this.#look(uri) : undefined);
    this.#registration = vscode.Disposable.from(
      this.#controller,
      profile,
      watcher,
      watcher.onDidCreate(look),
      watcher.onDidChange(look),
      watcher.onDidDelete(uri => this.#controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument(document => this.#show(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#showSoon(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
    );
    for (const document of vscode.workspace.textDocuments) this.#show(document);
  }

  dispose(): void {
    for (const update of this.#typed.values()) update.dispose();
    this.#registration.dispose();
  }

  #item(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.#controller.items.get(uri.toString());
  }

  async #list(): Promise<void> {
    this.#listed = true;
    // Copied before the search: a file that is created during it may be missing from the result, and must not be removed.
    const listed = [...this.#controller.items];
    const found = await vscode.workspace.findFiles(files, '**/{node_modules,.git}/**', maxFiles);
    const known = new Set(found.map(uri => uri.toString()));
    for (const [id, item] of listed) if (item.uri?.scheme === 'file' && !known.has(id)) this.#controller.items.delete(id);
    for (const uri of found) await this.#look(uri);
  }

  /** The text of an open document is used even if it is not saved. */
  async #look(uri: vscode.Uri): Promise<void> {
    try {
      if ((await vscode.workspace.fs.stat(uri)).size > largestFile) return;
      this.#show(await openSearchResult(uri));
    } catch (error) {
      const item = this.#item(uri);
      const { message } = explain(error);
      if (item === undefined) log.warn(message);
      else item.error = message;
    }
  }

  #showSoon(document: vscode.TextDocument): void {
    if (!isRequestDocument(document)) return;
    const key = document.uri.toString();
    let update = this.#typed.get(key);
    if (update === undefined) {
      update = throttled(updateMs, () => this.#show(document));
      this.#typed.set(key, update);
    }
    update();
  }

  #forget(uri: vscode.Uri): void {
    this.#typed.get(uri.toString())?.dispose();
    this.#typed.delete(uri.toString());
    if (uri.scheme !== 'file') this.#controller.items.delete(uri.toString());
  }

  #show(document: vscode.TextDocument): void {
    if (!isRequestDocument(document) || document.isClosed) return;
    const id = document.uri.toString();
    const tests = this.#worlds.fileOf(document).requests.filter(isTest);
    if (tests.length === 0) {
      this.#controller.items.delete(id);
      return;
    }
    const known = this.#controller.items.get(id);
    const item = known ?? this.#controller.createTestItem(id, escapeIcons(vscode.workspace.asRelativePath(document.uri)), document.uri);
    this.#items.show(item, document, tests);
    if (known === undefined) this.#controller.items.add(item);
  }

  async #start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous !== true) return this.#run(request, token);
    const listening = vscode.workspace.onDidSaveTextDocument(async document => {
      const item = this.#item(document.uri);
      if (item === undefined) return;
      this.#show(document);
      const wanted = (request.include ?? [item]).filter(one => one === item || one.parent === item || one.parent?.parent === item);
      if (wanted.length > 0) await this.#run(new vscode.TestRunRequest(wanted, request.exclude, request.profile, true), token);
    });
    token.onCancellationRequested(() => listening.dispose());
  }

  /** Runs file after file, and the requests of a file one after the other in their order. */
  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.include === undefined && !this.#listed) await this.#list();
    const run = this.#controller.createTestRun(request);
    const report = new TestReport(run);
    try {
      const chosen = chosenTests(
        request,
        [...this.#controller.items].map(([, item]) => item),
      );
      for (const tests of chosen.values()) for (const [test, rows] of tests) leavesOf(test, rows).forEach(leaf => report.enqueued(leaf));
      for (const [file, tests] of chosen) if (!token.isCancellationRequested) await this.#runFile(file, tests, report, token);
    } finally {
      report.rest();
      run.end();
    }
  }

  async #runFile(file: vscode.TestItem, tests: ChosenTests, report: TestReport, token: vscode.CancellationToken): Promise<void> {
    const byKey = new Map([...tests.keys()].map(test => [test.id, test]));
    let stopping: vscode.Disposable | undefined;
    try {
      const document = await openSearchResult(file.uri!);
      const prepared = await this.#sender.prepare(document, ({ key }) => byKey.has(key));
      if (prepared === undefined) return;
      const {
        session: { runs },
        entries,
      } = prepared;
      const options = { ...prepared.options, testRun: true };
      stopping = token.onCancellationRequested(() => runs.stop());
      // Requests that a test needs are sent again, once for all tests of the run.
      runs.forget(entries, prepared.file);
      for (const entry of entries) {
        if (token.isCancellationRequested) return;
        const test = byKey.get(entry.key)!;
        const rows = tests.get(test);
        const sent = runs.sendOnce(entry, prepared.file, options, rows && new Set(rows.map(rowIndex)));
        const isReported = (needed: RequestEntry): boolean =>
          needed !== entry && byKey.has(needed.key) && !gaveAnswer(runs.get(needed.key)?.outcome);
        const following = {
          report,
          document,
          token,
          isSkipped: ({ problem }: RequestOutcome) => problem?.code === 'needed-failed' && sendOrder(entry, prepared.file).some(isReported),
        };
        await (hasRows(entry) ? this.#followRows(test, sent, following) : followed(test, sent, following));
      }
    } catch (error) {
      for (const [test, rows] of tests) leavesOf(test, rows).forEach(leaf => report.errored(leaf, error));
    } finally {
      stopping?.dispose();
    }
  }

  /** Reports each row as soon as it has ended. */
  async #followRows(test: vscode.TestItem, sent: RequestRun, { report, document, token, isSkipped }: Following): Promise<void> {
    const title = requestTitle(sent.entry);
    const look = (): void => {
      for (const row of sent.rows) {
        const item = this.#items.row(test, row);
        const { outcome } = row;
        if (outcome !== undefined && !(token.isCancellationRequested && !isGood(outcome))) {
          report.ended(item, {
            entry: sent.entry,
            outcome,
            document,
            title: `${title} [${row.label}]`,
            status: outcomeStatus(outcome).text,
          });
        } else if (!token.isCancellationRequested) report.started(item);
        if (outcome === undefined) break;
      }
    };
    const listening = sent.onDidChange(whereRowsChanged(sent, look));
    try {
      const outcome = await sent.done;
      look();
      // The run failed before its first row.
      if (sent.rows.length === 0 && !token.isCancellationRequested) {
        const waiting = leavesOf(test, undefined);
        for (const item of waiting)
          report[isSkipped(outcome) ? 'skippedAs' : 'ended'](item, {
            entry: sent.entry,
            outcome,
            document,
            title,
            status: statusOf(sent).text,
          });
      }
    } finally {
      listening.dispose();
    }
  }
}

interface Following {
  readonly report: TestReport;
  readonly document: vscode.TextDocument;
  readonly token: vscode.CancellationToken;
  /** True if a request that it needs failed and is itself reported as a test of this run. */
  readonly isSkipped: (outcome: RequestOutcome) => boolean;
}

async function followed(test: vscode.TestItem, sent: RequestRun, { report, document, token, isSkipped }: Following): Promise<void> {
  report.started(test);
  const outcome = await sent.done;
  // A canceled request says nothing about the agent.
  if (token.isCancellationRequested && !isGood(outcome)) return;
  report[isSkipped(outcome) ? 'skippedAs' : 'ended'](test, {
    entry: sent.entry,
    outcome,
    document,
    title: requestTitle(sent.entry),
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
