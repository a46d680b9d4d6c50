import * as vscode from 'vscode';
import type { RequestEntry } from '../../request/requestEntry.ts';
import { rangeIn } from '../documentDiagnostics.ts';
import type { RequestWorlds } from '../language/requestWorlds.ts';
import { plain, printable } from '../oneLine.ts';
import { explain } from '../report.ts';
import { isRequestDocument, requestTitle } from '../requestDocuments.ts';
import type { RequestSender } from '../requestSender.ts';
import { statusOf } from '../requestStatus.ts';
import { throttled } from '../throttled.ts';
import { verdictOf } from './testMessages.ts';

/** Most files that are listed, and how large one may be to be looked into. */
const mostFiles = 5_000;
const largestFile = 4 * 1024 * 1024;
const files = '**/*.a2a';
const updateMs = 500;

const isTest = ({ members }: RequestEntry): boolean => members.has('expect');

/** The Test Explorer's view of request files: each request that expects something is a test. */
export class RequestTests implements vscode.Disposable {
  readonly #sender: RequestSender;
  readonly #worlds: RequestWorlds;
  readonly #controller = vscode.tests.createTestController('a2a', 'A2A');
  readonly #typed = new Map<string, ReturnType<typeof throttled>>();
  readonly #registration: vscode.Disposable;
  #listed = false;

  constructor({ sender, worlds }: { readonly sender: RequestSender; readonly worlds: RequestWorlds }) {
    this.#sender = sender;
    this.#worlds = worlds;
    this.#controller.resolveHandler = item => (item === undefined ? this.#list() : this.#look(item.uri!));
    this.#controller.refreshHandler = () => this.#list();
    const profile = this.#controller.createRunProfile(vscode.l10n.t('Run'), vscode.TestRunProfileKind.Run, (request, token) => this.#start(request, token), true);
    profile.supportsContinuousRun = true;
    const watcher = vscode.workspace.createFileSystemWatcher(files);
    const look = (uri: vscode.Uri): void => void (this.#listed || this.#item(uri) !== undefined ? this.#look(uri) : undefined);
    this.#registration = vscode.Disposable.from(
      this.#controller, profile, watcher, watcher.onDidCreate(look), watcher.onDidChange(look),
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
    const found = await vscode.workspace.findFiles(files, '**/{node_modules,.git}/**', mostFiles);
    const known = new Set(found.map(uri => uri.toString()));
    for (const [id, item] of [...this.#controller.items]) if (item.uri?.scheme === 'file' && !known.has(id)) this.#controller.items.delete(id);
    for (const uri of found) await this.#look(uri);
  }

  /** An open document is looked at as it is, also unsaved. */
  async #look(uri: vscode.Uri): Promise<void> {
    try {
      if ((await vscode.workspace.fs.stat(uri)).size > largestFile) return;
      this.#show(await vscode.workspace.openTextDocument(uri));
    } catch (error) {
      const item = this.#item(uri);
      if (item !== undefined) item.error = explain(error).message;
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
    const item = known ?? this.#controller.createTestItem(id, plain(vscode.workspace.asRelativePath(document.uri)), document.uri);
    item.canResolveChildren = true;
    const children = tests.map(entry => {
      const child = item.children.get(entry.key) ?? this.#controller.createTestItem(entry.key, plain(requestTitle(entry)), document.uri);
      child.label = plain(requestTitle(entry));
      child.sortText = String(entry.index).padStart(6, '0');
      child.range = rangeIn(document, entry.nameRange);
      return child;
    });
    // While a text is typed its tests mostly stay; only what changed of them is told.
    if (item.children.size !== children.length || children.some(({ parent }) => parent === undefined)) item.children.replace(children);
    if (known === undefined) this.#controller.items.add(item);
  }

  async #start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous !== true) return this.#run(request, token);
    const listening = vscode.workspace.onDidSaveTextDocument(async document => {
      const item = this.#item(document.uri);
      if (item === undefined) return;
      this.#show(document);
      const wanted = (request.include ?? [item]).filter(one => one === item || one.parent === item);
      if (wanted.length > 0) await this.#run(new vscode.TestRunRequest(wanted, request.exclude, request.profile, true), token);
    });
    token.onCancellationRequested(() => listening.dispose());
  }

  /** File after file, and in a file one request after the other, as they stand. */
  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.include === undefined && !this.#listed) await this.#list();
    const run = this.#controller.createTestRun(request);
    try {
      for (const [file, tests] of this.#chosen(request)) {
        for (const test of tests) run.enqueued(test);
        if (!token.isCancellationRequested) await this.#runFile(file, tests, run, token);
        for (const test of token.isCancellationRequested ? tests : []) run.skipped(test);
      }
    } finally {
      run.end();
    }
  }

  #chosen({ include, exclude }: vscode.TestRunRequest): ReadonlyMap<vscode.TestItem, readonly vscode.TestItem[]> {
    const left = new Set(exclude);
    const chosen = new Map<vscode.TestItem, Set<vscode.TestItem>>();
    for (const item of include ?? [...this.#controller.items].map(([, one]) => one)) {
      const file = item.parent ?? item;
      const tests = chosen.get(file) ?? new Set();
      for (const test of item.parent === undefined ? [...item.children].map(([, one]) => one) : [item]) if (!left.has(test) && !left.has(file)) tests.add(test);
      chosen.set(file, tests);
    }
    return new Map([...chosen].map(([file, tests]) => [file, [...tests].sort((one, other) => (one.sortText ?? '').localeCompare(other.sortText ?? ''))]));
  }

  async #runFile(file: vscode.TestItem, tests: readonly vscode.TestItem[], run: vscode.TestRun, token: vscode.CancellationToken): Promise<void> {
    const byKey = new Map(tests.map(test => [test.id, test]));
    try {
      const document = await vscode.workspace.openTextDocument(file.uri!);
      const prepared = await this.#sender.prepare(document, ({ key }) => byKey.has(key));
      if (prepared === undefined) {
        for (const test of tests) run.skipped(test);
        return;
      }
      const { session: { runs }, entries, options } = prepared;
      const stopping = token.onCancellationRequested(() => runs.stop());
      // A test begins with nothing: what it needs is sent anew, once for all of them.
      runs.forget(entries, prepared.file);
      for (const entry of entries) {
        const test = byKey.get(entry.key)!;
        if (token.isCancellationRequested) {
          run.skipped(test);
          continue;
        }
        run.started(test);
        const sent = runs.sendOnce(entry, prepared.file, options);
        const outcome = await sent.done;
        if (token.isCancellationRequested) {
          run.skipped(test);
          continue;
        }
        const { verdict, messages } = verdictOf(entry, outcome, document);
        const ms = outcome.endedAt - outcome.startedAt;
        run.appendOutput(`${printable(requestTitle(entry))}: ${printable(statusOf(sent).text)}\r\n`, undefined, test);
        if (verdict === 'passed') run.passed(test, ms);
        else run[verdict](test, [...messages], ms);
      }
      stopping.dispose();
    } catch (error) {
      const { message, nextStep } = explain(error);
      for (const test of tests) run.errored(test, new vscode.TestMessage([message, nextStep].filter(Boolean).join(' ')));
    }
  }
}
