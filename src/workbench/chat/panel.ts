import { posted } from '../../protocol/json/exactJson.ts';
import * as vscode from 'vscode';
import type { DraftPart } from '../../chat/host/draft.ts';
import type { ChatSnapshot, EventEnvelope, Events, RequestHandlers } from '../../chat/host/messages.ts';
import type { Referral } from '../../chat/host/chatState.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { sendOptionsOf } from '../../model/contexts/chatMessage.ts';
import type { SendOptions } from '../../model/run/sendOptions.ts';
import type { EntryUpdate } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { escapeLinks, oneLine, truncated } from '../platform/untrustedText.ts';
import { answerTo } from './answers.ts';
import { chatConnection } from './connection.ts';
import { chatDelivery } from './delivery.ts';
import { chatForms } from './drafts/chatForms.ts';
import { chatPages, firstPage, sentPage } from './pages.ts';
import { chatCommands } from './panelCommands.ts';
import { PanelOutbox } from './panelOutbox.ts';
import { chatParts } from './parts.ts';
import { chatState } from './state.ts';
import { chatTasks } from './tasks.ts';
import { chatExchanges } from './exchanges.ts';
import { turnOnRequired } from '../agents/requiredExtensions.ts';
import { ChatDraft } from './drafts/chatDraft.ts';
import type { ReadFile } from './drafts/chosenFiles.ts';
import type { Drafts } from './drafts/drafts.ts';
import { loadRules } from '../../conformance/rules/loadedRules.ts';
import { openUntrustedLink } from '../platform/links.ts';
import { completeStep } from '../platform/contextKeys.ts';
import { log, logError } from '../platform/log.ts';
import { nextEvent } from '../platform/nextEvent.ts';
import { VisibleInterval } from '../platform/visibleInterval.ts';
import type { StoredExchange } from '../documents/exchangeText.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import { explain } from '../platform/report.ts';
import { showPage } from '../platform/webviewHtml.ts';

export interface ChatPanelOptions {
  readonly agents: Agents;
  readonly extensionUri: vscode.Uri;
  readonly partFiles: PartFiles;
  readonly drafts: Drafts;
  readonly sendInNewContext: (agent: string, options: SendOptions) => Promise<void>;
  readonly openExchange: (kept: StoredExchange, finding?: number) => Promise<void>;
}

const minuteMs = 60_000;

/** True for a new entry from the agent, or one whose state changed. */
const isAnswer = (update: EntryUpdate): boolean =>
  update.type === 'put' &&
  (['status', 'artifact'].includes(update.entry.kind) || (update.entry.kind === 'message' && update.entry.message.role === 'ROLE_AGENT'));

/** One context in one editor tab. The panel has no state of its own: everything it shows is in the model and the history. */
export class ChatPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #context: AgentContext;
  readonly #needs: ChatPanelOptions;
  readonly #draft: ChatDraft;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #handlers: RequestHandlers;
  readonly #outbox: PanelOutbox;
  /** Refreshes the time since the agent was last reachable. */
  readonly #clock = new VisibleInterval(
    () => this.#outbox.stateChanged(),
    () => minuteMs,
  );
  #ready = false;
  readonly #becameReady = new vscode.EventEmitter<void>();

  constructor(panel: vscode.WebviewPanel, context: AgentContext, needs: ChatPanelOptions) {
    this.#panel = panel;
    this.#context = context;
    this.#needs = needs;
    this.#outbox = new PanelOutbox({
      context,
      isOpen: () => this.#ready && panel.visible,
      post: (name, value) => this.#post(name, value),
    });
    this.#draft = new ChatDraft(context, needs.drafts, parts => this.attach(parts));
    this.#handlers = this.#answers();
    this.#disposables.push(
      panel.webview.onDidReceiveMessage(message => this.#receive(message)),
      context.onDidUpdate(updates => {
        this.#outbox.update(updates);
        if (updates.some(isAnswer)) completeStep('a2a.answerReceived');
      }),
      context.onDidChangeState(() => this.#stateDidChange()),
      context.onDidFind(() => this.#outbox.findingsChanged()),
      // Deleted in this or another window: there is nothing left to show or to send from.
      context.onDidDelete(({ here }) => {
        const closed = vscode.l10n.t('The chat "{0}" is no longer in the history, so its tab was closed.', escapeLinks(panel.title));
        if (!here) void vscode.window.showInformationMessage(closed);
        panel.dispose();
      }),
      needs.agents.onDidChange(() => {
        this.#checkAgent();
        this.#stateDidChange();
      }),
      panel.onDidChangeViewState(() => {
        // VS Code unloads the page of a hidden panel; a new page gets no messages before it has sent `ready`.
        if (!panel.visible) this.#ready = false;
        this.#clock.visible = panel.visible;
        this.#outbox.flushSoon();
      }),
      this.#clock,
    );
    this.#clock.visible = panel.visible;
    showPage('chat', panel, needs.extensionUri);
    this.#showTitle();
  }

  get context(): AgentContext {
    return this.#context;
  }

  get title(): string {
    return this.#panel.title;
  }

  get active(): boolean {
    return this.#panel.active;
  }

  get visible(): boolean {
    return this.#panel.visible;
  }

  get onDidDispose(): vscode.Event<void> {
    return this.#panel.onDidDispose;
  }

  /** Resolves when the page has sent `ready`, or after `atMost` milliseconds. */
  whenReady(atMost: number): Promise<void> {
    return this.#ready ? Promise.resolve() : nextEvent(this.#becameReady.event, atMost);
  }

  reveal(preserveFocus = false): void {
    this.#panel.reveal(undefined, preserveFocus);
  }

  /** Scrolls to an entry as soon as the page is ready. */
  revealEntry(seq: number): void {
    this.#outbox.reveal(seq);
  }

  /** Shows an exchange on the wire as soon as the page is ready; without an id nothing happens. */
  showExchange(exchangeId: string | undefined): void {
    this.#outbox.showExchange(exchangeId);
  }

  /** Shows the panel and adds these references to its composer, for the person's next message. */
  refer(references: readonly Referral[]): void {
    this.#outbox.refer(references);
    this.reveal();
  }

  /** Adds parts to the panel's composer. */
  attach(parts: readonly DraftPart[]): void {
    this.#outbox.attach(parts);
  }

  /** Shows the panel and adds these files to its composer. Rejects with a `Problem`. */
  async attachFiles(files: readonly ReadFile[]): Promise<void> {
    await this.#draft.attach(files);
    this.reveal();
  }

  dispose(): void {
    this.#outbox.dispose();
    this.#becameReady.dispose();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #showTitle(): void {
    const title = truncated(oneLine(this.#context.title), 40);
    const agent = oneLine(this.#context.agentName);
    this.#panel.title = title === '' ? agent : vscode.l10n.t('{0}: {1}', agent, title);
  }

  #snapshot(kept: Pick<ChatSnapshot, 'draft' | 'forms'>): ChatSnapshot {
    const { entries, more } = sentPage(this.#context, { limit: firstPage });
    return {
      context: this.#context.key,
      state: chatState(this.#context),
      entries,
      more,
      ...this.#outbox.take(),
      ...kept,
      strings: vscode.l10n.bundle ?? {},
    };
  }

  #answers(): RequestHandlers {
    return {
      ready: async kept => {
        // Findings are sent with the titles of their rules.
        const [draft] = await Promise.all([this.#draft.read(kept?.draft), loadRules()]);
        this.#ready = true;
        this.#becameReady.fire();
        this.#outbox.restart();
        this.#checkAgent();
        this.#outbox.flushSoon();
        this.#context.loadTasks().catch(logError);
        return this.#snapshot({ draft, forms: kept?.forms });
      },
      ...chatPages(this.#context),
      ...this.#draft.answers(),
      send: async params => {
        const options = sendOptionsOf(await this.#draft.message(params), this.#context);
        if (params.newContext === true) await this.#needs.sendInNewContext(this.#context.agentName, options);
        else await this.#context.patiently(() => this.#context.send(options));
        await this.#draft.sent(params);
        // The composer is cleared by the answer: message and running state must be on screen by then.
        this.#outbox.flush();
      },
      judgeArtifact: ({ seq, verdict }) => this.#context.patiently(() => this.#context.judgeArtifact(seq, verdict ?? undefined)),
      stop: async () => void (await this.#context.stop()),
      openExchange: async ({ exchangeId, finding }) => {
        const kept = this.#context.exchange(exchangeId);
        if (kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
        await this.#needs.openExchange(kept, finding);
      },
      openLink: ({ url }) => openUntrustedLink(url),
      ...chatConnection(this.#context),
      ...chatCommands(this.#context),
      refreshTask: async ({ taskId }) => void (await this.#context.refreshTask(taskId)),
      turnOnExtensions: async () => {
        const { agent } = this.#context;
        if (agent !== undefined) await turnOnRequired(agent);
      },
      ...chatParts(this.#context, this.#needs),
      ...chatDelivery(this.#context),
      ...chatForms(this.#context),
      ...chatExchanges(this.#context),
      ...chatTasks(this.#context),
    };
  }

  async #receive(message: unknown): Promise<void> {
    const answer = await answerTo(message, this.#handlers, error => {
      if (!(error instanceof Problem)) logError(error);
      return explain(error);
    });
    if (answer === undefined) log.warn(`The chat panel sent something that is not a request: ${JSON.stringify(message)?.slice(0, 200)}`);
    else await this.#panel.webview.postMessage(posted(answer));
  }

  #stateDidChange(): void {
    this.#showTitle();
    this.#outbox.stateChanged();
  }

  /** Changed settings make a new agent object, which has not been checked yet. */
  #checkAgent(): void {
    if (this.#ready && this.#context.agent?.reachability === 'unknown') void this.#context.agent.check();
  }

  #post<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    const envelope: EventEnvelope<Name> = { type: 'event', name, value };
    void this.#panel.webview.postMessage(posted(envelope));
  }
}
