import { posted } from '../../../protocol/json/exactJson.ts';
import * as vscode from 'vscode';
import { ResponsePageMessage, type ResponseView } from '../../../chat/host/responseMessages.ts';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import type { Part } from '../../../protocol/message/part.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { type PartFiles, savePart } from '../../documents/partDocument.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';
import { openUntrustedLink } from '../../platform/links.ts';
import { log } from '../../platform/log.ts';
import { explain, report, translate } from '../../platform/report.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';
import { throttled } from '../../platform/throttled.ts';
import { oneLine } from '../../platform/untrustedText.ts';
import { pageHtml } from '../../platform/webviewHtml.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import { boundedAnswers, type BoundedAnswers } from './boundedAnswers.ts';
import { type Answer, answersOf } from './responseAnswers.ts';
import { responseScheme } from './responseScheme.ts';
import { responseColumn } from './settings.ts';

/** Type of the panels with previews of responses. */
const previewType = 'a2a.responsePreview';

/** While a result streams in, its page is updated at most once in this time, milliseconds. */
const updateMs = 250;

/** The content of a preview at a moment. */
export interface PreviewedResponse {
  /** Another one is another response. */
  readonly of: object;
  /** Name of its request; secrets are masked here. */
  readonly title: string;
  readonly running: boolean;
  /** Why its task is only polled; see `RequestRun.polling`. */
  readonly polling?: string | undefined;
  readonly answers: () => readonly Answer[];
}

/** The source of a preview's responses. */
export interface PreviewSource {
  /** Title of the preview's tab. */
  readonly tabTitle: () => string;
  /** The document of the response stands under this address. */
  readonly isDocument: (uri: vscode.Uri) => boolean;
  /** Undefined where there is none at the moment. */
  readonly response: () => PreviewedResponse | undefined;
}

interface Preview {
  readonly panel: vscode.WebviewPanel;
  readonly source: PreviewSource;
  readonly update: ReturnType<typeof throttled>;
  /** The page takes messages: VS Code unloads that of a hidden tab. */
  ready: boolean;
  /** The content that the page has; undefined before the first message to it. */
  has: { readonly response: PreviewedResponse; readonly known: BoundedAnswers['known'] } | undefined;
}

export interface ResponsePreviewNeeds {
  readonly sessions: RequestSessions;
  readonly partFiles: PartFiles;
  readonly extensionUri: vscode.Uri;
}

/**
 * Responses as a person reads them, each on a page in the column of its document, at most one for each request file: it shows the request whose result
 * was last asked for, and is updated while that runs. A response that was kept has a page of its own. What agents wrote is rendered by our
 * own page, which loads nothing; VS Code's Markdown preview would load pictures from anywhere.
 */
export class ResponsePreviews implements vscode.Disposable {
  readonly #needs: ResponsePreviewNeeds;
  /** Previews by session, or by the id of a kept response. */
  readonly #previews = new Map<RequestSession | string, Preview>();
  readonly #numbers = new WeakMap<object, number>();
  #lastNumber = 0;
  readonly #registration: vscode.Disposable;

  constructor(needs: ResponsePreviewNeeds) {
    this.#needs = needs;
    this.#registration = needs.sessions.onDidChange(session => this.#previews.get(session)?.update());
  }

  /**
   * The session whose response a command means: lenses pass the URI of the request file as text, menus that of the response; the palette
   * passes nothing, which means the active editor.
   */
  sessionOf(given: unknown): RequestSession {
    const named =
      typeof given === 'string'
        ? vscode.Uri.parse(given, true)
        : given instanceof vscode.Uri
          ? given
          : vscode.window.activeTextEditor?.document.uri;
    const file = named?.scheme === responseScheme ? vscode.Uri.parse(named.query, true) : named;
    const session = file === undefined ? undefined : this.#needs.sessions.peek(file);
    if (session === undefined || runOf(session) === undefined) {
      throw new Problem('not-sent', sentence('This request has not been sent yet.'), { nextStep: sentence('Send it first.') });
    }
    return session;
  }

  /** Shows the response of a file, as a tab beside its document; the focus stays. */
  open(session: RequestSession): void {
    this.#open(session, sourceOf(session));
  }

  /** Opens the preview of a kept response. */
  openKept(id: string, source: PreviewSource): void {
    this.#open(id, source);
  }

  /** The preview of a file's response is what its column shows: no document has to be brought before it. */
  isInFront(session: RequestSession): boolean {
    const preview = this.#previews.get(session);
    if (preview?.panel.visible !== true) return false;
    const column = columnOf(preview.source);
    return column === undefined || column === preview.panel.viewColumn;
  }

  #open(key: RequestSession | string, source: PreviewSource): void {
    const before = this.#previews.get(key);
    if (before !== undefined) {
      before.panel.reveal(undefined, true);
      before.update();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      previewType,
      source.tabTitle(),
      { viewColumn: columnOf(source) ?? responseColumn(), preserveFocus: true },
      {
        enableScripts: true,
        enableForms: false,
        enableCommandUris: false,
        localResourceRoots: [vscode.Uri.joinPath(this.#needs.extensionUri, 'dist')],
      },
    );
    const preview: Preview = {
      panel,
      source,
      update: throttled(updateMs, () => this.#show(preview)),
      ready: false,
      has: undefined,
    };
    this.#previews.set(key, preview);
    panel.iconPath = vscode.Uri.joinPath(this.#needs.extensionUri, 'media', 'a2a-tab.svg');
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(preview, message).catch(report));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) preview.ready = false;
    });
    panel.onDidDispose(() => {
      preview.update.dispose();
      this.#previews.delete(key);
    });
    panel.webview.html = pageHtml('responsePage', panel.webview, this.#needs.extensionUri);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const { panel } of [...this.#previews.values()]) panel.dispose();
  }

  async #receive(preview: Preview, data: unknown): Promise<void> {
    const { data: message, error } = ResponsePageMessage.safeParse(data);
    if (message === undefined) return log.warn(`The response page sent an invalid message: ${error.message}`);
    if (message.type === 'ready') {
      preview.ready = true;
      preview.has = undefined;
      return this.#show(preview);
    }
    if (message.type === 'openLink') return openUntrustedLink(message.url);
    const { part, name, key } = this.#partAt(preview, message);
    if (message.type === 'openPart') await this.#needs.partFiles.open(key, part, name, { viewColumn: columnOf(preview.source) });
    else await savePart(part, name);
  }

  /** @throws Problem `gone` where the response has no such part any more */
  #partAt(
    { has }: Preview,
    { response, content, part: index }: Extract<ResponsePageMessage, { readonly part: number }>,
  ): { part: Part; name: string | undefined; key: string } {
    const shown = has !== undefined && this.#numberOf(has.response) === response ? has.response : undefined;
    const found = shown?.answers().flatMap(({ contents }) => contents)[content];
    const part = found?.parts[index];
    if (part === undefined) throw new Problem('gone', sentence('This response is no longer there.'));
    return { part, name: found?.name, key: `response-${response}-${content}-${index}` };
  }

  #show(preview: Preview): void {
    const { panel, source, ready, has } = preview;
    const response = source.response();
    if (!ready || response === undefined) return;
    panel.title = source.tabTitle();
    const { answers, leftOut, known } = boundedAnswers(response.answers(), has?.response.of === response.of ? has.known : []);
    const view: ResponseView = {
      response: this.#numberOf(response),
      title: secretsToMask.mask(response.title),
      running: response.running,
      polling: response.polling,
      answers,
      leftOut,
      ...(has === undefined && { strings: vscode.l10n.bundle ?? {} }),
    };
    preview.has = { response, known };
    void panel.webview.postMessage(posted(view));
  }

  #numberOf({ of }: PreviewedResponse): number {
    const number = this.#numbers.get(of) ?? ++this.#lastNumber;
    this.#numbers.set(of, number);
    return number;
  }
}

const words = { explain, translate };

const runOf = ({ shown, runs }: RequestSession): RequestRun | undefined => (shown === undefined ? undefined : runs.get(shown));

/** The response of a request file: it follows what the file shows. */
const sourceOf = (session: RequestSession): PreviewSource => ({
  tabTitle: () => vscode.l10n.t('Preview {0}', oneLine(session.uri.path.slice(session.uri.path.lastIndexOf('/') + 1))),
  isDocument: ({ scheme, query }) => scheme === responseScheme && query === session.uri.toString(),
  response: () => {
    const run = runOf(session);
    if (run === undefined) return undefined;
    const polling = run.polling && translate(run.polling);
    return { of: run, title: requestTitle(run.entry), running: run.running, polling, answers: () => answersOf(run, words) };
  },
});

/** The column of the response's document; undefined where that is closed. */
const columnOf = ({ isDocument }: PreviewSource): vscode.ViewColumn | undefined =>
  vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(({ input }) => input instanceof vscode.TabInputText && isDocument(input.uri)))
    ?.viewColumn;

/**
 * Closes the previews of responses that VS Code has kept over a reload: a reloaded window has no responses. VS Code drops panels without a
 * serializer, but leaves their columns behind, empty.
 */
export function closeOldPreviews(): vscode.Disposable {
  // Those out of sight would ask only once they are looked at.
  const old = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(previewType)),
  );
  if (old.length > 0) void vscode.window.tabGroups.close(old, true);
  return vscode.window.registerWebviewPanelSerializer(previewType, { deserializeWebviewPanel: async panel => panel.dispose() });
}
