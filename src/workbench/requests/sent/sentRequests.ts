import * as vscode from 'vscode';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import type { ReadOnlyDocuments } from '../../documents/readOnlyDocuments.ts';
import { report } from '../../platform/report.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';
import { oneLine } from '../../platform/untrustedText.ts';
import type { ResponseDocuments } from '../response/document.ts';
import type { PreviewSource } from '../response/previews.ts';
import { foldedBelowAnswer } from '../response/reading.ts';
import { statusOf } from '../session/requestStatus.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import { wireTab } from '../response/lenses.ts';
import { KeptRequests, type KeptRequest } from './keptRequests.ts';
import { pickSentRequest, sentTitle } from './pickSentRequest.ts';
import { keptResponse } from '../response/keptResponse.ts';
import type { CommandId } from '../../platform/commands.ts';

/** Responses that were kept. */
const sentScheme = 'a2a-sent';

interface SentRequestsOptions {
  readonly sessions: RequestSessions;
  readonly responses: ResponseDocuments;
  readonly documents: ReadOnlyDocuments;
  /** Workspace state. */
  readonly state: vscode.Memento;
  /** Folder of kept responses. */
  readonly folder: vscode.Uri;
  readonly openInChat: (contextKey: string | undefined) => Promise<void>;
}

/** Keeps each request that is over, with its response, and shows what was kept: over restarts, in this workspace. */
export class SentRequests implements vscode.Disposable {
  readonly kept: KeptRequests;
  readonly #options: SentRequestsOptions;
  readonly #known = new WeakSet<RequestRun>();
  readonly #registration: vscode.Disposable;

  constructor(options: SentRequestsOptions) {
    const { sessions, documents, state, folder } = options;
    this.#options = options;
    this.kept = new KeptRequests(state, folder);
    documents.add(sentScheme, { extension: 'json', render: id => this.#textOf(this.kept.get(id)) });
    this.#registration = vscode.Disposable.from(
      sessions.onDidChange(session => {
        for (const run of session.runs.all) if (!run.running) this.#keep(session, run);
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.kept.renamed(oldUri.toString(), newUri.toString()).catch(report);
      }),
      vscode.languages.registerFoldingRangeProvider({ scheme: sentScheme }, { provideFoldingRanges: foldedBelowAnswer }),
      vscode.languages.registerCodeLensProvider({ scheme: sentScheme }, { provideCodeLenses: document => this.#lenses(document) }),
    );
  }

  /** The response before the one of this run, from this window or an earlier one; undefined where none is kept. */
  async before(session: RequestSession, run: RequestRun): Promise<string | undefined> {
    return (
      session.earlier.get(run.entry.key) ??
      this.#textOf(this.kept.before({ file: session.uri.toString(), key: run.entry.key, at: run.startedAt }))
    );
  }

  hasBefore(session: RequestSession, run: RequestRun): boolean {
    const { key } = run.entry;
    return session.earlier.has(key) || this.kept.before({ file: session.uri.toString(), key, at: run.startedAt }) !== undefined;
  }

  /** Lets the person choose one, and does what they want of it. */
  async pick(): Promise<void> {
    const { sessions, responses, openInChat } = this.#options;
    const picked = await pickSentRequest(sessions, this.kept);
    if (picked === undefined) return;
    const { sent, action } = picked;
    if ('run' in sent) return responses.show(sent.session, sent.run.entry.key);
    const { kept } = sent;
    if (action === 'send') await vscode.commands.executeCommand('a2a.sendRequest', kept.file, kept.key);
    else if (action === 'chat') await openInChat(kept.contextKey);
    else if (action === 'compare') await this.compare(kept);
    else await this.#open(kept);
  }

  /** The kept response that a lens names by its id; undefined for any other argument of a command. */
  named(argument: unknown): KeptRequest | undefined {
    return typeof argument === 'string' && argument.startsWith(`${sentScheme}:`)
      ? this.kept.get(argument.slice(sentScheme.length + 1))
      : undefined;
  }

  /**
   * Preview of a kept response.
   * @throws Problem `gone` if it cannot be read any more
   */
  async previewOf(kept: KeptRequest): Promise<PreviewSource> {
    const text = await this.kept.textOf(kept);
    const response = text === undefined ? undefined : keptResponse(text);
    if (response === undefined) throw new Problem('gone', sentence('The stored part of this response cannot be previewed.'));
    return {
      tabTitle: () => vscode.l10n.t('Preview {0}', this.#title(kept)),
      isDocument: ({ scheme, query }) => scheme === sentScheme && query === kept.id,
      response: () => ({ of: response, title: kept.title, running: false, answers: () => response.answers }),
    };
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #keep(session: RequestSession, run: RequestRun): void {
    if (this.#known.has(run)) return;
    this.#known.add(run);
    const { icon, text } = statusOf(run);
    const request = {
      file: session.uri.toString(),
      key: run.entry.key,
      title: secretsToMask.mask(sentTitle(run.entry)),
      agent: secretsToMask.mask(run.entry.agent?.value ?? session.agent ?? ''),
      icon,
      status: secretsToMask.mask(text),
      at: run.startedAt,
      contextKey: run.contextKey,
      exchangeId: run.outcome?.exchangeIds.at(-1),
    };
    this.#options.responses
      .textOf(run)
      .then(response => this.kept.keep(request, secretsToMask.mask(response)))
      .catch(report);
  }

  async #textOf(kept: KeptRequest | undefined): Promise<string | undefined> {
    return kept === undefined ? undefined : this.kept.textOf(kept);
  }

  async #open(kept: KeptRequest): Promise<void> {
    if (kept.length === 0) {
      throw new Problem('gone', sentence('This response was too long to be kept.'), {
        nextStep: sentence('Its context in the history has all of it.'),
      });
    }
    await this.#options.documents.open(sentScheme, this.#title(kept), kept.id);
  }

  /** Shows what changed since the response before a kept one. */
  async compare(kept: KeptRequest): Promise<void> {
    const before = this.kept.before(kept);
    if (before === undefined) return;
    const { documents } = this.#options;
    await vscode.commands.executeCommand(
      'vscode.diff',
      documents.uri(sentScheme, this.#title(before), before.id),
      documents.uri(sentScheme, this.#title(kept), kept.id),
      vscode.l10n.t('{0}: Previous ↔ Current', oneLine(kept.title)),
    );
  }

  #title({ title, at }: KeptRequest): string {
    return `${oneLine(title).slice(0, 80)} ${new Date(at).toLocaleTimeString()}`;
  }

  #lenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const kept = this.kept.get(document.uri.query);
    if (kept === undefined) return [];
    const canPreview = keptResponse(document.getText()) !== undefined;
    const top = new vscode.Range(0, 0, 0, 0);
    const own = `${sentScheme}:${kept.id}`;
    const lens = (title: string, command: CommandId, ...given: readonly unknown[]) =>
      new vscode.CodeLens(top, { title, command, arguments: [...given] });
    return [
      lens(vscode.l10n.t('Send Again'), 'a2a.sendRequest', kept.file, kept.key),
      ...(kept.contextKey === undefined
        ? []
        : [
            lens(vscode.l10n.t('Open in Chat'), 'a2a.openRequestInChat', own),
            lens(vscode.l10n.t('Show in Wire'), 'a2a.openRequestInChat', own, undefined, wireTab),
          ]),
      ...(canPreview ? [lens(vscode.l10n.t('Preview'), 'a2a.previewResponse', own)] : []),
      ...(this.kept.before(kept) === undefined ? [] : [lens(vscode.l10n.t('Compare with Last'), 'a2a.compareResponses', own)]),
      lens(vscode.l10n.t('Save…'), 'a2a.saveResponse', own),
    ];
  }
}
