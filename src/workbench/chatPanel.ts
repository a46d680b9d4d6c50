import * as vscode from 'vscode';
import { type ChatSnapshot, type ChatState, type EventEnvelope, type ExchangeFindings, type Events, maxReferences, type Referral, type RequestHandlers } from '../chat/messages.ts';
import type { Agents } from '../model/agents.ts';
import type { Agent } from '../model/agent.ts';
import type { AgentContext } from '../model/agentContext.ts';
import { sendOptionsOf } from '../model/chatMessage.ts';
import { requiredButOff } from '../model/agentExtensions.ts';
import type { SendOptions } from '../model/sendOptions.ts';
import { outputFaults } from '../protocol/outputSchema.ts';
import type { Part } from '../protocol/part.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { Entry, EntryUpdate } from '../protocol/transcript.ts';
import { oneLine, shortened } from './oneLine.ts';
import { answerTo } from './chatAnswers.ts';
import { cardForm, chatForms, shownFaults } from './chatForms.ts';
import { chatWire } from './chatWire.ts';
import type { CommandId } from './commands.ts';
import { turnOnRequired } from './extensionCommands.ts';
import { findingLines } from './findingLines.ts';
import { openUntrustedLink } from './links.ts';
import { log } from './log.ts';
import type { KeptExchange } from './exchangeText.ts';
import { type PartFiles, savePart } from './partDocument.ts';
import { explain, translate } from './report.ts';
import { pageHtml } from './webviewHtml.ts';
import { isConfigured } from './settings.ts';
import { shownVersions } from './shownVersions.ts';

/** Entries a panel loads at once. */
const pageSize = 200;
/** Updates are told to the panel at most this often. */
const frameMs = 16;

export interface ChatPanelNeeds {
  readonly agents: Agents;
  readonly extensionUri: vscode.Uri;
  readonly partFiles: PartFiles;
  readonly sendInNewContext: (agent: string, options: SendOptions) => void;
  readonly openExchange: (kept: KeptExchange, finding?: number) => Promise<void>;
}

/** One context in one editor tab. The panel only shows; everything it shows lives in the model and the history. */
export class ChatPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #context: AgentContext;
  readonly #needs: ChatPanelNeeds;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #handlers: RequestHandlers;
  #updates: EntryUpdate[] = [];
  #stateChanged = false;
  #found = false;
  #timer: NodeJS.Timeout | undefined;
  #ready = false;
  /** The entry that the reader is still to be shown. */
  #revealed: number | undefined;
  /** What the panel has not been told of yet that the next message refers to. */
  #references: readonly Referral[] = [];

  constructor(panel: vscode.WebviewPanel, context: AgentContext, needs: ChatPanelNeeds) {
    this.#panel = panel;
    this.#context = context;
    this.#needs = needs;
    this.#handlers = this.#answers();
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [vscode.Uri.joinPath(needs.extensionUri, 'dist')] };
    this.#disposables.push(
      panel.webview.onDidReceiveMessage(message => this.#receive(message)),
      context.onDidUpdate(updates => this.#tellUpdates(updates)),
      context.onDidChangeState(() => this.#tellState()),
      context.onDidFind(() => {
        this.#found = true;
        this.#flushSoon();
      }),
      // Deleted here or in another window: there is nothing left to show or to send from.
      context.onDidDelete(() => panel.dispose()),
      needs.agents.onDidChange(() => {
        this.#checkAgent();
        this.#tellState();
      }),
      panel.onDidChangeViewState(() => this.#flushSoon()),
    );
    panel.webview.html = pageHtml('chat', panel.webview, needs.extensionUri);
    this.#showTitle();
  }

  get context(): AgentContext {
    return this.#context;
  }

  get active(): boolean {
    return this.#panel.active;
  }

  get onDidDispose(): vscode.Event<void> {
    return this.#panel.onDidDispose;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Shows an entry to the reader, as soon as the page can. */
  revealEntry(seq: number): void {
    this.#revealed = seq;
    this.#flushSoon();
  }

  /** Shows the panel with these put into its composer, for a message of the person's. */
  refer(references: readonly Referral[]): void {
    this.#references = [...this.#references, ...references].slice(-maxReferences);
    this.reveal();
    this.#flushSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #showTitle(): void {
    const title = oneLine(this.#context.title).slice(0, 40);
    this.#panel.title = title === '' ? this.#context.agentName : `${this.#context.agentName}: ${title}`;
  }

  #state(): ChatState {
    const context = this.#context;
    const { agent } = context;
    return {
      agent: context.agentName,
      description: agent?.card === undefined ? undefined : shortened(agent.card.description, longestDescription),
      reachability: agent?.reachability ?? 'unreachable',
      interface: agent?.chosen === undefined ? undefined : translate(agent.chosen.reason),
      configured: isConfigured(context.agentName),
      extensions: extensionsShown(agent),
      contextId: context.contextId,
      takesForm: cardForm(agent) !== undefined,
      title: context.title,
      tasks: context.tasks(),
      artifacts: shownVersions(context.artifactHistories()),
      waitingTaskId: context.waitingTask?.taskId,
      running: context.running,
      stopping: context.stopping,
      examples: (agent?.card?.skills ?? []).flatMap(skill => skill.examples ?? []).slice(0, 6),
    };
  }

  #snapshot(): ChatSnapshot {
    const { items, more } = this.#context.entries({ limit: pageSize });
    const references = this.#references;
    this.#references = [];
    return { context: this.#context.key, state: this.#state(), entries: items, more, findings: this.#findings(), references, strings: vscode.l10n.bundle ?? {} };
  }

  #findings(): readonly ExchangeFindings[] {
    return this.#context.deviantExchanges()
      .map(({ exchangeId, startedAt, findings }) => ({ exchangeId, startedAt, lines: findingLines(findings, translate) }));
  }

  #entry(seq: number): Entry {
    const entry = this.#context.entry(seq);
    if (entry === undefined) throw new Problem('gone', sentence('This entry is no longer in the history.'));
    return entry;
  }

  #part(seq: number, index: number): { readonly part: Part; readonly name: string | undefined; readonly key: string } {
    const entry = this.#entry(seq);
    const parts = entry.kind === 'artifact' ? entry.artifact.parts : entry.kind === 'message' || entry.kind === 'status' ? entry.message?.parts : undefined;
    const part = parts?.[index];
    if (part === undefined) throw new Problem('gone', sentence('This part is no longer in the history.'));
    return { part, name: entry.kind === 'artifact' ? entry.artifact.name : undefined, key: `${seq}-${index}` };
  }

  #answers(): RequestHandlers {
    return {
      ready: async () => {
        this.#ready = true;
        this.#updates = [];
        this.#found = false;
        this.#checkAgent();
        this.#flushSoon();
        return this.#snapshot();
      },
      older: async ({ before }) => {
        const { items, more } = this.#context.entries({ before, limit: pageSize });
        return { entries: items, more };
      },
      send: async ({ newContext = false, ...message }) => {
        const options = sendOptionsOf(message, this.#context);
        if (newContext) this.#needs.sendInNewContext(this.#context.agentName, options);
        else this.#context.send(options);
        return null;
      },
      compareArtifact: async ({ seq }) => {
        void vscode.commands.executeCommand('a2a.compareArtifactVersions' satisfies CommandId, { context: this.#context.key, seq });
        return null;
      },
      judgeArtifact: async ({ seq, verdict }) => {
        this.#context.judgeArtifact(seq, verdict ?? undefined);
        return null;
      },
      stop: async () => {
        await this.#context.stop();
        return null;
      },
      openPart: async ({ seq, part: index }) => {
        const { part, name, key } = this.#part(seq, index);
        await this.#needs.partFiles.open(key, part, name);
        return null;
      },
      savePart: async ({ seq, part: index }) => {
        const { part, name } = this.#part(seq, index);
        await savePart(part, name);
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
      turnOnExtensions: async () => {
        const { agent } = this.#context;
        if (agent !== undefined) await turnOnRequired(agent);
        return null;
      },
      sendAgain: async ({ seq }) => {
        this.#context.sendAgain(seq);
        return null;
      },
      loadPart: async ({ seq, part: index }) => {
        const { part } = this.#part(seq, index);
        if (!('url' in part)) throw new Problem('gone', sentence('This part is no longer in the history.'));
        const { bytes, mediaType } = await this.#needs.agents.readFile(part.url);
        return { raw: Buffer.from(bytes).toString('base64'), mediaType };
      },
      checkOutput: async ({ seq, part: index, asked }) => {
        const faults = outputFaults(this.#entry(asked), this.#part(seq, index).part);
        return faults === null ? null : shownFaults(faults);
      },
      ...chatForms(this.#context),
      ...chatWire(this.#context),
    };
  }

  async #receive(message: unknown): Promise<void> {
    const answer = await answerTo(message, this.#handlers, error => {
      if (!(error instanceof Problem)) log.error(error instanceof Error ? error : String(error));
      return explain(error);
    });
    if (answer === undefined) log.warn(`The chat panel sent something that is no request: ${JSON.stringify(message)?.slice(0, 200)}`);
    else await this.#panel.webview.postMessage(answer);
  }

  #tellUpdates(updates: readonly EntryUpdate[]): void {
    if (!this.#ready || !this.#panel.visible) return;
    this.#updates.push(...updates);
    this.#flushSoon();
  }

  #tellState(): void {
    this.#showTitle();
    this.#stateChanged = true;
    this.#flushSoon();
  }

  /** An agent whose settings changed is a new one that nobody has asked yet. */
  #checkAgent(): void {
    if (this.#ready && this.#context.agent?.reachability === 'unknown') void this.#context.agent.check();
  }

  /** A hidden page takes no messages; when it is shown again it is loaded anew and asks for everything. */
  #flushSoon(): void {
    if (!this.#ready || !this.#panel.visible) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#updates.length > 0) this.#tell('updates', this.#updates);
      this.#updates = [];
      if (this.#references.length > 0) this.#tell('refer', this.#references);
      this.#references = [];
      if (this.#stateChanged) this.#tell('state', this.#state());
      this.#stateChanged = false;
      if (this.#found) this.#tell('findings', this.#findings());
      this.#found = false;
      if (this.#revealed !== undefined) this.#tell('reveal', { seq: this.#revealed });
      this.#revealed = undefined;
    }, frameMs);
  }

  #tell<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    const envelope: EventEnvelope<Name> = { type: 'event', name, value };
    void this.#panel.webview.postMessage(envelope);
  }
}

/** Most characters of a card's description that the panel is told. */
const longestDescription = 2_000;
/** Most URIs that the panel is told. */
const maxMissing = 10;

function extensionsShown(agent: Agent | undefined): ChatState['extensions'] {
  const extensions = agent?.extensions ?? [];
  return {
    known: extensions.length, on: extensions.filter(({ on }) => on).length,
    missing: requiredButOff(extensions).slice(0, maxMissing).map(({ uri }) => uri),
  };
}
