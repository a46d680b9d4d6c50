import { posted } from '../../protocol/json/exactJson.ts';
import * as vscode from 'vscode';
import type { DraftPart } from '../../chat/host/draft.ts';
import { maxParts, maxReferences } from '../../chat/host/limits.ts';
import type { ChatSnapshot, EventEnvelope, Events, RequestHandlers } from '../../chat/host/messages.ts';
import type { ExchangeFindings, Referral } from '../../chat/host/chatState.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { sendOptionsOf } from '../../model/contexts/chatMessage.ts';
import type { SendOptions } from '../../model/run/sendOptions.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { EntryUpdate } from '../../protocol/message/transcript.ts';
import { escapeLinks, oneLine, truncated } from '../platform/untrustedText.ts';
import { answerTo } from './answers.ts';
import { chatConnection } from './connection.ts';
import { chatDelivery } from './delivery.ts';
import { chatForms } from './drafts/chatForms.ts';
import { chatPages, firstPage, sentPage } from './pages.ts';
import { sentUpdates } from './sentEntries.ts';
import { chatParts } from './parts.ts';
import { chatState } from './state.ts';
import { chatTasks } from './tasks.ts';
import { chatExchanges } from './exchanges.ts';
import type { CommandId } from '../platform/commands.ts';
import { turnOnRequired } from '../agents/requiredExtensions.ts';
import { ChatDraft } from './drafts/chatDraft.ts';
import type { ReadFile } from './drafts/chosenFiles.ts';
import type { Drafts } from './drafts/drafts.ts';
import { loadRules } from '../../conformance/rules/loadedRules.ts';
import { findingLines } from '../documents/findingLines.ts';
import { openUntrustedLink } from '../platform/links.ts';
import { log } from '../platform/log.ts';
import { nextEvent } from '../platform/nextEvent.ts';
import type { StoredExchange } from '../documents/exchangeText.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import { explain, translate } from '../platform/report.ts';
import { pageHtml } from '../platform/webviewHtml.ts';

/** The panel gets updates at most twice in this time, milliseconds: what directly follows a new entry is not delayed either. */
const frameMs = 32;
/** Maximum size of the updates at a time, as `roomAfter` counts it: the rest follows the next time. */
const maxUpdates = 1_000_000;

export interface ChatPanelOptions {
  readonly agents: Agents;
  readonly extensionUri: vscode.Uri;
  readonly partFiles: PartFiles;
  readonly drafts: Drafts;
  readonly sendInNewContext: (agent: string, options: SendOptions) => Promise<void>;
  readonly openExchange: (kept: StoredExchange, finding?: number) => Promise<void>;
}

/** One context in one editor tab. The panel has no state of its own: everything it shows is in the model and the history. */
export class ChatPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #context: AgentContext;
  readonly #needs: ChatPanelOptions;
  readonly #draft: ChatDraft;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #handlers: RequestHandlers;
  #updates: EntryUpdate[] = [];
  #stateChanged = false;
  #findingsChanged = false;
  #timer: NodeJS.Timeout | undefined;
  #flushedAt = 0;
  /** Time of the flush before the last one; on the clock of `performance.now()`. */
  #flushedBefore = 0;
  #ready = false;
  readonly #becameReady = new vscode.EventEmitter<void>();
  /** seq of an entry that the panel has to scroll to; set until the panel has it. */
  #revealed: number | undefined;
  /** An exchange that the panel has to show; set until the panel has it. */
  #exchange: string | undefined;
  /** References for the next message that the panel does not have yet. */
  #references: readonly Referral[] = [];
  /** Parts for the next message that the panel does not have yet. */
  #attached: readonly DraftPart[] = [];

  constructor(panel: vscode.WebviewPanel, context: AgentContext, needs: ChatPanelOptions) {
    this.#panel = panel;
    this.#context = context;
    this.#needs = needs;
    this.#draft = new ChatDraft(context, needs.drafts, parts => this.attach(parts));
    this.#handlers = this.#answers();
    panel.webview.options = {
      enableScripts: true,
      enableForms: false,
      localResourceRoots: [vscode.Uri.joinPath(needs.extensionUri, 'dist')],
    };
    this.#disposables.push(
      panel.webview.onDidReceiveMessage(message => this.#receive(message)),
      context.onDidUpdate(updates => this.#queueUpdates(updates)),
      context.onDidChangeState(() => this.#stateDidChange()),
      context.onDidFind(() => {
        this.#findingsChanged = true;
        this.#flushSoon();
      }),
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
        this.#flushSoon();
      }),
    );
    panel.webview.html = pageHtml('chat', panel.webview, needs.extensionUri);
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
    this.#revealed = seq;
    this.#flushSoon();
  }

  /** Shows an exchange on the wire as soon as the page is ready; without an id nothing happens. */
  showExchange(exchangeId: string | undefined): void {
    this.#exchange = exchangeId;
    this.#flushSoon();
  }

  /** Shows the panel and adds these references to its composer, for the person's next message. */
  refer(references: readonly Referral[]): void {
    this.#references = [...this.#references, ...references].slice(-maxReferences);
    this.reveal();
    this.#flushSoon();
  }

  /** Adds parts to the panel's composer. */
  attach(parts: readonly DraftPart[]): void {
    this.#attached = [...this.#attached, ...parts].slice(-maxParts);
    this.#flushSoon();
  }

  /** Shows the panel and adds these files to its composer. Rejects with a `Problem`. */
  async attachFiles(files: readonly ReadFile[]): Promise<void> {
    await this.#draft.attach(files);
    this.reveal();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#becameReady.dispose();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #showTitle(): void {
    const title = truncated(oneLine(this.#context.title), 40);
    const agent = oneLine(this.#context.agentName);
    this.#panel.title = title === '' ? agent : `${agent}: ${title}`;
  }

  #snapshot(kept: Pick<ChatSnapshot, 'draft' | 'forms'>): ChatSnapshot {
    const { entries, more } = sentPage(this.#context, { limit: firstPage });
    const references = this.#references;
    const attached = this.#attached;
    this.#references = [];
    this.#attached = [];
    return {
      context: this.#context.key,
      state: chatState(this.#context),
      entries,
      more,
      findings: this.#findings(),
      references,
      attached,
      ...kept,
      strings: vscode.l10n.bundle ?? {},
    };
  }

  #findings(): readonly ExchangeFindings[] {
    return this.#context
      .deviantExchanges()
      .map(({ exchangeId, startedAt, findings }) => ({ exchangeId, startedAt, lines: findingLines(findings, translate) }));
  }

  #answers(): RequestHandlers {
    return {
      ready: async kept => {
        // Findings are sent with the titles of their rules.
        const [draft] = await Promise.all([this.#draft.read(kept?.draft), loadRules()]);
        this.#ready = true;
        this.#becameReady.fire();
        this.#updates = [];
        this.#findingsChanged = false;
        this.#checkAgent();
        this.#flushSoon();
        this.#context.loadTasks().catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
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
        this.#flush();
        return null;
      },
      compareArtifact: async ({ seq }) => {
        void vscode.commands.executeCommand('a2a.compareArtifact' satisfies CommandId, { context: this.#context.key, seq, by: 'versions' });
        return null;
      },
      compareRevisions: async ({ seq }) => {
        void vscode.commands.executeCommand('a2a.compareArtifact' satisfies CommandId, {
          context: this.#context.key,
          seq,
          by: 'revisions',
        });
        return null;
      },
      judgeArtifact: async ({ seq, verdict }) => {
        await this.#context.patiently(() => this.#context.judgeArtifact(seq, verdict ?? undefined));
        return null;
      },
      stop: async () => {
        await this.#context.stop();
        return null;
      },
      openExchange: async ({ exchangeId, finding }) => {
        const kept = this.#context.exchange(exchangeId);
        if (kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
        await this.#needs.openExchange(kept, finding);
        return null;
      },
      openLink: async ({ url }) => {
        await openUntrustedLink(url);
        return null;
      },
      ...chatConnection(this.#context),
      refreshTask: async ({ taskId }) => {
        await this.#context.refreshTask(taskId);
        return null;
      },
      chooseInterface: async () => {
        void vscode.commands.executeCommand('a2a.chooseInterface' satisfies CommandId, this.#context.agentName);
        return null;
      },
      chooseExtensions: async () => {
        void vscode.commands.executeCommand('a2a.chooseExtensions' satisfies CommandId, this.#context.agentName);
        return null;
      },
      signIn: async () => {
        void vscode.commands.executeCommand('a2a.signIn' satisfies CommandId, this.#context.agentName);
        return null;
      },
      turnOnExtensions: async () => {
        const { agent } = this.#context;
        if (agent !== undefined) await turnOnRequired(agent);
        return null;
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
      if (!(error instanceof Problem)) log.error(error instanceof Error ? error : String(error));
      return explain(error);
    });
    if (answer === undefined) log.warn(`The chat panel sent something that is not a request: ${JSON.stringify(message)?.slice(0, 200)}`);
    else await this.#panel.webview.postMessage(posted(answer));
  }

  #queueUpdates(updates: readonly EntryUpdate[]): void {
    if (!this.#ready || !this.#panel.visible) return;
    this.#updates.push(...updates);
    this.#flushSoon();
  }

  #stateDidChange(): void {
    this.#showTitle();
    this.#stateChanged = true;
    this.#flushSoon();
  }

  /** Changed settings make a new agent object, which has not been checked yet. */
  #checkAgent(): void {
    if (this.#ready && this.#context.agent?.reachability === 'unknown') void this.#context.agent.check();
  }

  /** A hidden page gets no messages; when it is shown again, it is loaded anew and sends `ready`. */
  #flushSoon(): void {
    if (!this.#ready || !this.#panel.visible) return;
    // The first of several updates is sent without delay.
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, frameMs - (performance.now() - this.#flushedBefore)));
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#ready || !this.#panel.visible) return;
    this.#flushedBefore = this.#flushedAt;
    this.#flushedAt = performance.now();
    const updates = sentUpdates(this.#updates, { entryAt: seq => this.#context.entry(seq), room: maxUpdates });
    if (updates.length > 0) this.#post('updates', updates);
    this.#updates = this.#updates.slice(updates.length);
    // The rest follows the last update.
    if (this.#updates.length > 0) return this.#flushSoon();
    if (this.#references.length > 0) this.#post('refer', this.#references);
    this.#references = [];
    if (this.#attached.length > 0) this.#post('attached', this.#attached);
    this.#attached = [];
    if (this.#stateChanged) this.#post('state', chatState(this.#context));
    this.#stateChanged = false;
    if (this.#findingsChanged) this.#post('findings', this.#findings());
    this.#findingsChanged = false;
    if (this.#revealed !== undefined) this.#post('reveal', { seq: this.#revealed });
    this.#revealed = undefined;
    if (this.#exchange !== undefined) this.#post('showExchange', { exchangeId: this.#exchange });
    this.#exchange = undefined;
  }

  #post<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    const envelope: EventEnvelope<Name> = { type: 'event', name, value };
    void this.#panel.webview.postMessage(posted(envelope));
  }
}
