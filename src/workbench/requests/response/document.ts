import * as vscode from 'vscode';
import type { StoredExchange } from '../../documents/exchangeText.ts';
import { explain, translate } from '../../platform/report.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import { responseText } from './text.ts';
import { responseColumn, responseTakesFocus } from './settings.ts';
import { throttled } from '../../platform/throttled.ts';

export const responseScheme = 'a2a-response';

/** While a result streams in, its document is updated at most once in this time, milliseconds. */
const updateMs = 250;

/**
 * Results of requests as read-only JSON documents: one tab for each request file. It shows the request whose result was last asked for and
 * is updated while that runs.
 */
export class ResponseDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #sessions: RequestSessions;
  readonly #exchange: (id: string) => StoredExchange | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #updates = new Map<string, ReturnType<typeof throttled>>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(sessions: RequestSessions, exchange: (id: string) => StoredExchange | undefined) {
    this.#sessions = sessions;
    this.#exchange = exchange;
    this.#registration = vscode.Disposable.from(
      sessions.onDidChange(session => this.#update(session)),
      vscode.workspace.registerTextDocumentContentProvider(responseScheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const session = this.#sessions.peek(vscode.Uri.parse(uri.query, true));
    const run = session?.shown === undefined ? undefined : session.runs.get(session.shown);
    return run === undefined ? '{}\n' : responseText(requestTitle(run.entry), run, { exchange: this.#exchange, explain, translate });
  }

  /** Shows the result of a request where the settings say: by default beside the file, without the focus. */
  async show(session: RequestSession, key: string): Promise<void> {
    session.shown = key;
    const uri = uriOf(session);
    this.#changed.fire(uri);
    const open = vscode.window.tabGroups.all.find(group =>
      group.tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
    );
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      viewColumn: open?.viewColumn ?? responseColumn(),
      preserveFocus: !responseTakesFocus(),
      preview: false,
    });
    // The request may have ended while the document was being opened, before it could be notified.
    this.#update(session);
  }

  dispose(): void {
    for (const update of this.#updates.values()) update.dispose();
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #update(session: RequestSession): void {
    const uri = uriOf(session);
    const key = uri.toString();
    if (!vscode.workspace.textDocuments.some(document => document.uri.toString() === key)) return;
    let update = this.#updates.get(key);
    if (update === undefined) {
      update = throttled(updateMs, () => this.#changed.fire(uri));
      this.#updates.set(key, update);
    }
    update();
  }

  #forget(uri: vscode.Uri): void {
    this.#updates.get(uri.toString())?.dispose();
    this.#updates.delete(uri.toString());
  }
}

/** The path is the tab's title; the file's own URI is in the query, to find its session again. */
function uriOf({ uri }: RequestSession): vscode.Uri {
  const name =
    uri.path
      .split('/')
      .at(-1)
      ?.replace(/\.a2a$/, '') ?? '';
  return vscode.Uri.from({ scheme: responseScheme, path: `/${name} response.json`, query: uri.toString() });
}
