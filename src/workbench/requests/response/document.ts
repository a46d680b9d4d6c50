import * as vscode from 'vscode';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import type { PartFiles } from '../../documents/partDocument.ts';
import type { StoredExchange } from '../../documents/exchangeText.ts';
import { explain, report, translate } from '../../platform/report.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import { ResponseReading } from './reading.ts';
import { responseScheme } from './responseScheme.ts';
import { previewsResponses, responseColumn, responseTakesFocus } from './settings.ts';
import { oneLine } from '../../platform/untrustedText.ts';
import { throttled } from '../../platform/throttled.ts';
import { responseText } from './text.ts';

/** The response before, where the two are compared. */
const earlierScheme = 'a2a-earlier-response';

/** While a result streams in, its document is updated at most once in this time, milliseconds. */
const updateMs = 250;

interface ResponseDocumentsNeeds {
  readonly sessions: RequestSessions;
  readonly exchange: (id: string) => StoredExchange | undefined;
  readonly partFiles: PartFiles;
  /** Shows the response as a page, in a tab beside its document. */
  readonly preview: (session: RequestSession) => void;
  /** True if that page is what the document's column shows. */
  readonly isPreviewInFront: (session: RequestSession) => boolean;
}

/**
 * Results of requests as read-only JSON documents: one tab for each request file. It shows the request whose result was last asked for and
 * is updated while that runs. Every run has a document of its own, which takes the place of the one before: VS Code keeps what is folded of a
 * document whose text is replaced, and folds anew only in one that it opens.
 */
export class ResponseDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #needs: ResponseDocumentsNeeds;
  /** Texts of earlier responses by the URI of their document; removed when that is closed. */
  readonly #earlier = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #updates = new Map<string, ReturnType<typeof throttled>>();
  readonly #numbers = new WeakMap<RequestRun, number>();
  #lastNumber = 0;
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(needs: ResponseDocumentsNeeds) {
    this.#needs = needs;
    const { sessions, partFiles } = needs;
    const reading = new ResponseReading({ runOf: ({ uri }) => this.#runOf(uri), textOf: run => this.textOf(run) }, partFiles);
    this.#registration = vscode.Disposable.from(
      sessions.onDidChange(session => this.#update(session)),
      vscode.workspace.registerTextDocumentContentProvider(responseScheme, this),
      vscode.workspace.registerTextDocumentContentProvider(earlierScheme, this),
      vscode.languages.registerFoldingRangeProvider({ scheme: responseScheme }, reading),
      vscode.languages.registerDocumentLinkProvider({ scheme: responseScheme }, reading),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.window.tabGroups.onDidChangeTabs(({ changed }) => void this.#openAnew(changed).catch(report)),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (uri.scheme === earlierScheme) return this.#earlier.get(uri.toString()) ?? '{}\n';
    const run = this.#runOf(uri);
    return run === undefined ? '{}\n' : this.textOf(run);
  }

  /** The result of a request as it is shown. */
  async textOf(run: RequestRun): Promise<string> {
    return responseText(requestTitle(run.entry), run, { exchange: this.#needs.exchange, explain, translate });
  }

  /** Shows the result of a request where the settings place it: by default beside the file, without the focus. */
  async show(session: RequestSession, key: string): Promise<void> {
    session.shown = key;
    await this.#open(session);
    if (previewsResponses()) this.#needs.preview(session);
    // The request may have ended while the document was being opened, before it could be notified; others follow what is shown.
    this.#needs.sessions.changed(session);
  }

  /** Opens the shown run's document, in place of that of another run of the file if one is open. */
  async #open(session: RequestSession): Promise<void> {
    const uri = this.#uriOf(session);
    this.#changed.fire(uri);
    const known = tabsOf(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      viewColumn: known[0]?.group.viewColumn ?? responseColumn(),
      preserveFocus: !responseTakesFocus(),
      preview: false,
    });
    const replaced = known.filter(({ uri: other }) => other.toString() !== uri.toString()).map(({ tab }) => tab);
    if (replaced.length > 0) await vscode.window.tabGroups.close(replaced, true);
  }

  /** A document that comes to the front after another run took its place behind a preview is opened anew: only then VS Code folds it. */
  async #openAnew(tabs: readonly vscode.Tab[]): Promise<void> {
    for (const { input, isActive } of tabs) {
      if (!isActive || !(input instanceof vscode.TabInputText) || input.uri.scheme !== responseScheme) continue;
      const session = this.#needs.sessions.peek(vscode.Uri.parse(input.uri.query, true));
      const run = this.#runOf(input.uri);
      if (session !== undefined && run?.running === false && this.#uriOf(session).toString() !== input.uri.toString())
        await this.#open(session);
    }
  }

  /** Shows the result of a request that was just sent: where the file's preview is in front, there alone. */
  async showSent(session: RequestSession, key: string): Promise<void> {
    if (this.#needs.isPreviewInFront(session)) this.#follow(session, key);
    else await this.show(session, key);
  }

  /** Shows the result of a request where the settings place it: by default beside the file, without the focus. */
  async bring(session: RequestSession, key: string): Promise<void> {
    if (tabsOf(this.#uriOf(session)).some(({ tab }) => tab.isActive)) await this.show(session, key);
    else this.#follow(session, key);
  }

  /** Shows a request in open documents: no tab is opened or brought to the front. */
  #follow(session: RequestSession, key: string): void {
    session.shown = key;
    this.#needs.sessions.changed(session);
  }

  /** Shows what changed since an earlier response of the same request, in VS Code's diff editor. */
  async compare(session: RequestSession, key: string, before: string): Promise<void> {
    session.shown = key;
    const now = this.#uriOf(session);
    const then = now.with({ scheme: earlierScheme });
    this.#earlier.set(then.toString(), before);
    this.#changed.fire(then);
    await vscode.commands.executeCommand(
      'vscode.diff',
      then,
      now,
      vscode.l10n.t('{0}: Previous ↔ Current', oneLine(requestTitle(session.runs.get(key)!.entry))),
    );
  }

  dispose(): void {
    for (const update of this.#updates.values()) update.dispose();
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #runOf(uri: vscode.Uri): RequestRun | undefined {
    const session = this.#needs.sessions.peek(vscode.Uri.parse(uri.query, true));
    return session?.shown === undefined ? undefined : session.runs.get(session.shown);
  }

  #update(session: RequestSession): void {
    const shown = this.#uriOf(session);
    for (const { uri } of vscode.workspace.textDocuments) {
      if (!isSameFile(uri, shown)) continue;
      const key = uri.toString();
      let update = this.#updates.get(key);
      if (update === undefined) {
        update = throttled(updateMs, () => this.#changed.fire(uri));
        this.#updates.set(key, update);
      }
      update();
    }
  }

  /** The URI of the shown run's document. */
  #uriOf(session: RequestSession): vscode.Uri {
    const run = session.shown === undefined ? undefined : session.runs.get(session.shown);
    if (run === undefined) return uriOf(session, 0);
    const number = this.#numbers.get(run) ?? ++this.#lastNumber;
    this.#numbers.set(run, number);
    return uriOf(session, number);
  }

  #forget(uri: vscode.Uri): void {
    this.#updates.get(uri.toString())?.dispose();
    this.#updates.delete(uri.toString());
    this.#earlier.delete(uri.toString());
  }
}

/** Tabs with a response of the same file, whichever. */
const tabsOf = (shown: vscode.Uri): { readonly tab: vscode.Tab; readonly uri: vscode.Uri; readonly group: vscode.TabGroup }[] =>
  vscode.window.tabGroups.all.flatMap(group =>
    group.tabs.flatMap(tab =>
      tab.input instanceof vscode.TabInputText && isSameFile(tab.input.uri, shown) ? [{ tab, uri: tab.input.uri, group }] : [],
    ),
  );

const isSameFile = (uri: vscode.Uri, shown: vscode.Uri): boolean => uri.scheme === responseScheme && uri.query === shown.query;

/** The path is the tab's title; the file's own URI is in the query, to find its session again, and the run's number in the fragment. */
function uriOf({ uri }: RequestSession, run: number): vscode.Uri {
  const name =
    uri.path
      .split('/')
      .at(-1)
      ?.replace(/\.(?:a2a|md|markdown)$/, '') ?? '';
  return vscode.Uri.from({
    scheme: responseScheme,
    path: `/${vscode.l10n.t('{0} response.json', name)}`,
    query: uri.toString(),
    fragment: String(run),
  });
}
