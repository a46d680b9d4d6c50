import * as vscode from 'vscode';
import { isTest } from '../../../request/file/control.ts';
import { hasRequestFence } from '../../../request/text/markdownFences.ts';
import type { LanguageContexts } from '../language/languageContexts.ts';
import { log } from '../../platform/log.ts';
import { fileLabel } from '../../platform/untitledDocument.ts';
import { escapeIcons } from '../../platform/untrustedText.ts';
import { explain, report } from '../../platform/report.ts';
import { isRequestDocument } from '../../documents/requestDocuments.ts';
import type { RequestSender } from '../sending/requestSender.ts';
import { throttled } from '../../platform/throttled.ts';
import { openSearchResult } from '../../platform/workspaceFiles.ts';
import { RequestItems } from './requestItems.ts';
import { TestRuns } from './testRuns.ts';

/** Maximum number of files that are listed, and the size up to which a file is read, in bytes. */
const maxFiles = 5_000;
const largestFile = 4 * 1024 * 1024;
const files = '**/*.a2a';
const documents = '**/*.{md,markdown}';
/** Largest Markdown document that is looked into for requests, in bytes. */
const largestDocument = 1024 * 1024;
const updateMs = 500;

interface RequestTestsNeeds {
  readonly sender: RequestSender;
  readonly languageContexts: LanguageContexts;
  /** Called when the test controller is made. */
  readonly onFirst: () => void;
}

/** Tests of request files, from the first one on: VS Code adds its Testing view to the activity bar with the first test controller. */
export function registerRequestTests(needs: RequestTestsNeeds): vscode.Disposable {
  let tests: RequestTests | undefined;
  let isOver = false;
  const watcher = vscode.workspace.createFileSystemWatcher(files);
  const make = (): void => {
    if (isOver || tests !== undefined) return;
    listeners.dispose();
    tests = new RequestTests(needs);
    needs.onFirst();
  };
  const look = (document: vscode.TextDocument): void => {
    if (isRequestDocument(document)) make();
  };
  const listeners = vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(make),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
  );
  vscode.workspace.textDocuments.forEach(look);
  vscode.workspace.findFiles(files, '**/{node_modules,.git}/**', 1).then(found => {
    if (found.length > 0) make();
  }, report);
  return {
    dispose: () => {
      isOver = true;
      listeners.dispose();
      tests?.dispose();
    },
  };
}

/** Shows request files in the Test Explorer: each request with expectations is a test, and so is each row of its data. */
class RequestTests implements vscode.Disposable {
  readonly #languageContexts: LanguageContexts;
  readonly #controller = vscode.tests.createTestController('a2a', 'A2A');
  readonly #items = new RequestItems(this.#controller);
  readonly #runs: TestRuns;
  readonly #typed = new Map<string, ReturnType<typeof throttled>>();
  readonly #registration: vscode.Disposable;
  #listed = false;

  constructor({ sender, languageContexts }: Omit<RequestTestsNeeds, 'onFirst'>) {
    this.#runs = new TestRuns({ controller: this.#controller, sender, items: this.#items });
    this.#languageContexts = languageContexts;
    this.#controller.resolveHandler = item => (item === undefined ? this.#list() : this.#refresh(item.uri!));
    this.#controller.refreshHandler = () => this.#list();
    const profile = this.#controller.createRunProfile(
      vscode.l10n.t('Run'),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#start(request, token),
      true,
    );
    profile.supportsContinuousRun = true;
    const watchers = [files, documents].map(pattern => vscode.workspace.createFileSystemWatcher(pattern));
    const look = (uri: vscode.Uri): void =>
      void ((this.#listed && !/\/node_modules\//.test(uri.path)) || this.#item(uri) !== undefined ? this.#refresh(uri) : undefined);
    this.#registration = vscode.Disposable.from(
      this.#controller,
      profile,
      ...watchers.flatMap(watcher => [
        watcher,
        watcher.onDidCreate(look),
        watcher.onDidChange(look),
        watcher.onDidDelete(uri => this.#controller.items.delete(uri.toString())),
      ]),
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
    const search = (pattern: string) => vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**', maxFiles);
    const found = [...(await search(files)), ...(await search(documents))];
    const known = new Set(found.map(uri => uri.toString()));
    for (const [id, item] of listed) if (item.uri?.scheme === 'file' && !known.has(id)) this.#controller.items.delete(id);
    for (const uri of found) await this.#refresh(uri);
  }

  /** The text of an open document is used even if it is not saved. */
  async #refresh(uri: vscode.Uri): Promise<void> {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > largestFile) return;
      const isOpen = vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
      // Most Markdown has no requests: it is looked at without being opened as a document.
      if (!isOpen && /\.(?:md|markdown)$/i.test(uri.path)) {
        const text = size > largestDocument ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
        if (!hasRequestFence(text)) {
          this.#controller.items.delete(uri.toString());
          return;
        }
      }
      this.#show(await openSearchResult(uri));
    } catch (error) {
      const item = this.#item(uri);
      const { message } = explain(error);
      if (item === undefined) log.warn(message);
      else item.error = message;
    }
  }

  #showSoon(document: vscode.TextDocument): void {
    if (!isRequestDocument(document) && this.#item(document.uri) === undefined) return;
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
    if (document.isClosed || (!isRequestDocument(document) && this.#item(document.uri) === undefined)) return;
    const id = document.uri.toString();
    const tests = isRequestDocument(document) ? this.#languageContexts.fileOf(document).requests.filter(isTest) : [];
    if (tests.length === 0) {
      this.#controller.items.delete(id);
      return;
    }
    const known = this.#controller.items.get(id);
    const item = known ?? this.#controller.createTestItem(id, escapeIcons(fileLabel(document.uri)), document.uri);
    this.#items.show(item, document, tests);
    if (known === undefined) this.#controller.items.add(item);
  }

  async #start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous !== true) return this.#run(request, token);
    const listener = vscode.workspace.onDidSaveTextDocument(async document => {
      const item = this.#item(document.uri);
      if (item === undefined) return;
      this.#show(document);
      const wanted = (request.include ?? [item]).filter(one => one === item || one.parent === item || one.parent?.parent === item);
      if (wanted.length > 0) await this.#run(new vscode.TestRunRequest(wanted, request.exclude, request.profile, true), token);
    });
    token.onCancellationRequested(() => listener.dispose());
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.include === undefined && !this.#listed) await this.#list();
    await this.#runs.run(request, token);
  }
}
