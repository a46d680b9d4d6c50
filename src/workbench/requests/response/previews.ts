import * as vscode from 'vscode';
import type { PartPlace, ResponseView } from '../../../chat/host/responseMessages.ts';
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
import { readPageMessage } from './pageMessage.ts';
import { previewType } from './previewType.ts';
import { answersOf } from './responseAnswers.ts';
import { responseScheme } from './responseScheme.ts';

/** While a result streams in, its page is updated at most once in this time, milliseconds. */
const updateMs = 250;

interface Preview {
  readonly panel: vscode.WebviewPanel;
  readonly session: RequestSession;
  readonly update: ReturnType<typeof throttled>;
  /** The page takes messages: VS Code unloads that of a hidden tab. */
  ready: boolean;
  /** What the page has; undefined before it has been told anything. */
  has: { readonly run: RequestRun; readonly known: BoundedAnswers['known'] } | undefined;
}

export interface ResponsePreviewNeeds {
  readonly sessions: RequestSessions;
  readonly partFiles: PartFiles;
  readonly extensionUri: vscode.Uri;
}

/**
 * Responses as a person reads them, each on a page beside its document, at most one for each request file: it shows the request whose result
 * was last asked for, and is updated while that runs. What agents wrote is rendered by our own page, which loads nothing; VS Code's Markdown
 * preview would load pictures from anywhere.
 */
export class ResponsePreviews implements vscode.Disposable {
  readonly #needs: ResponsePreviewNeeds;
  readonly #previews = new Map<RequestSession, Preview>();
  readonly #numbers = new WeakMap<RequestRun, number>();
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

  /** Shows the response of a file beside its document; the focus stays. */
  open(session: RequestSession): void {
    const before = this.#previews.get(session);
    if (before !== undefined) {
      before.panel.reveal(undefined, true);
      before.update();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      previewType,
      titleOf(session),
      { viewColumn: columnBeside(columnOf(session)), preserveFocus: true },
      {
        enableScripts: true,
        enableForms: false,
        enableCommandUris: false,
        localResourceRoots: [vscode.Uri.joinPath(this.#needs.extensionUri, 'dist')],
      },
    );
    const preview: Preview = {
      panel,
      session,
      update: throttled(updateMs, () => this.#show(preview)),
      ready: false,
      has: undefined,
    };
    this.#previews.set(session, preview);
    panel.iconPath = vscode.Uri.joinPath(this.#needs.extensionUri, 'media', 'a2a-tab.svg');
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(preview, message).catch(report));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) preview.ready = false;
    });
    panel.onDidDispose(() => {
      preview.update.dispose();
      this.#previews.delete(session);
    });
    panel.webview.html = pageHtml('responsePage', panel.webview, this.#needs.extensionUri);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const { panel } of [...this.#previews.values()]) panel.dispose();
  }

  async #receive(preview: Preview, data: unknown): Promise<void> {
    const message = readPageMessage(data);
    if (message === undefined) return log.warn('The page of a response says what is not in its contract.');
    if (message.type === 'ready') {
      preview.ready = true;
      preview.has = undefined;
      return this.#show(preview);
    }
    if (message.type === 'openLink') return openUntrustedLink(message.url);
    const { part, name, key } = this.#partAt(preview, message);
    if (message.type === 'openPart') await this.#needs.partFiles.open(key, part, name, { viewColumn: columnOf(preview.session) });
    else await savePart(part, name);
  }

  /** @throws Problem `gone` where the response has no such part any more */
  #partAt({ has }: Preview, { response, content, part: index }: PartPlace): { part: Part; name: string | undefined; key: string } {
    const run = has !== undefined && this.#numberOf(has.run) === response ? has.run : undefined;
    const found = run === undefined ? undefined : answersOf(run, words).flatMap(({ contents }) => contents)[content];
    const part = found?.parts[index];
    if (part === undefined) throw new Problem('gone', sentence('This response is no longer there.'));
    return { part, name: found?.name, key: `response-${response}-${content}-${index}` };
  }

  #show(preview: Preview): void {
    const { panel, session, ready, has } = preview;
    const run = runOf(session);
    if (!ready || run === undefined) return;
    panel.title = titleOf(session);
    const { answers, leftOut, known } = boundedAnswers(answersOf(run, words), has?.run === run ? has.known : []);
    const view: ResponseView = {
      response: this.#numberOf(run),
      title: secretsToMask.mask(requestTitle(run.entry)),
      running: run.running,
      answers,
      leftOut,
      ...(has === undefined && { strings: vscode.l10n.bundle ?? {} }),
    };
    preview.has = { run, known };
    void panel.webview.postMessage(view);
  }

  #numberOf(run: RequestRun): number {
    const number = this.#numbers.get(run) ?? ++this.#lastNumber;
    this.#numbers.set(run, number);
    return number;
  }
}

const runOf = ({ shown, runs }: RequestSession): RequestRun | undefined => (shown === undefined ? undefined : runs.get(shown));

const words = { explain, translate };

/** The column of the response's document; undefined where that is closed. */
function columnOf({ uri }: RequestSession): vscode.ViewColumn | undefined {
  const file = uri.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === responseScheme && input.uri.query === file),
  )?.viewColumn;
}

const columnBeside = (column: vscode.ViewColumn | undefined): vscode.ViewColumn =>
  column === undefined ? vscode.ViewColumn.Beside : column + 1;

const titleOf = ({ uri: { path } }: RequestSession): string => vscode.l10n.t('Preview {0}', oneLine(path.slice(path.lastIndexOf('/') + 1)));
