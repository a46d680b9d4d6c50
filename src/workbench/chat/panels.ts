import * as vscode from 'vscode';
import { KeptState } from '../../chat/host/keptState.ts';
import type { Referral } from '../../chat/host/chatState.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { ChatPanel, type ChatPanelOptions } from './panel.ts';
import { UnrestoredTabs } from './unrestoredTabs.ts';

/** Timeout for a loading page before the focus is given back, in milliseconds. */
const maxLoading = 3_000;

/** All open chat panels: at most one per context, restored after a reload of the window. */
export class ChatPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  static readonly viewType = 'a2a.chat';
  readonly #contexts: AgentContexts;
  readonly #needs: ChatPanelOptions;
  readonly #panels = new Map<string, ChatPanel>();
  readonly #sleeping: UnrestoredTabs;
  readonly #registration: vscode.Disposable;
  /** Searches for a sleeping tab run one at a time: each brings tabs to the front. */
  #search: Promise<unknown> = Promise.resolve();
  #closing = false;

  /** @param state workspace state, which keeps the open tabs */
  constructor(contexts: AgentContexts, needs: ChatPanelOptions, state: vscode.Memento) {
    this.#contexts = contexts;
    this.#needs = needs;
    this.#sleeping = new UnrestoredTabs(ChatPanels.viewType, state);
    this.#registration = vscode.window.registerWebviewPanelSerializer(ChatPanels.viewType, this);
  }

  /** The context of the active tab, if that is a chat. */
  get active(): AgentContext | undefined {
    return [...this.#panels.values()].find(panel => panel.active)?.context;
  }

  /** The open chats: visible ones first, then the most recently opened. */
  get shown(): readonly ChatPanel[] {
    return [...this.#panels.values()].reverse().sort((one, other) => Number(other.visible) - Number(one.visible));
  }

  /**
   * Shows a context in its tab, or in a new one.
   * @param focusBack command that returns the focus to where it was
   */
  async open(
    context: AgentContext,
    column: vscode.ViewColumn = vscode.ViewColumn.Active,
    { focusBack }: { readonly focusBack?: string } = {},
  ): Promise<ChatPanel> {
    void context.agent?.look();
    const preserveFocus = focusBack !== undefined;
    const revealed = this.#reveal(context, preserveFocus);
    if (revealed !== undefined) return revealed;
    const search = this.#search.then(() => this.#sleeping.restore(context.key, () => this.#panels.has(context.key)));
    this.#search = search.catch(() => undefined);
    await search;
    const restored = this.#reveal(context, preserveFocus);
    if (restored !== undefined) {
      // Waking a tab gives it the focus, and VS Code moves that into the page when it has loaded.
      if (focusBack !== undefined) {
        await restored.whenReady(maxLoading);
        await vscode.commands.executeCommand(focusBack);
      }
      return restored;
    }
    const panel = vscode.window.createWebviewPanel(
      ChatPanels.viewType,
      context.agentName,
      { viewColumn: column, preserveFocus },
      { enableScripts: true, enableForms: false },
    );
    return this.#adopt(panel, context);
  }

  /** Shows a context and adds these references to its composer. */
  async refer(context: AgentContext, references: readonly Referral[]): Promise<void> {
    (await this.open(context)).refer(references);
  }

  /** Shows a context in the tab of its file, unless it has another tab. VS Code itself restores such a tab. */
  showIn(panel: vscode.WebviewPanel, context: AgentContext): void {
    this.#adopt(panel, context, { isOfFile: true });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = KeptState.safeParse(state);
    const context = parsed.success ? this.#contexts.get(parsed.data.context) : undefined;
    if (context === undefined) panel.dispose();
    else this.#adopt(panel, context);
    this.#sleeping.markRestored();
  }

  dispose(): void {
    this.#closing = true;
    this.#registration.dispose();
    this.#sleeping.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #reveal(context: AgentContext, preserveFocus: boolean): ChatPanel | undefined {
    const open = this.#panels.get(context.key);
    open?.reveal(preserveFocus);
    return open;
  }

  #adopt(panel: vscode.WebviewPanel, context: AgentContext, { isOfFile = false } = {}): ChatPanel {
    // VS Code restores a background tab only when it is shown; the context may have another tab by then.
    const open = this.#panels.get(context.key);
    if (open !== undefined) {
      panel.dispose();
      open.reveal();
      return open;
    }
    const chat = new ChatPanel(panel, context, this.#needs);
    this.#panels.set(context.key, chat);
    const remember = (): void => {
      if (!isOfFile) this.#sleeping.add(context.key, chat.title);
    };
    remember();
    const subscription = context.onDidChangeState(remember);
    chat.onDidDispose(() => {
      subscription.dispose();
      if (this.#panels.get(context.key) === chat) {
        this.#panels.delete(context.key);
        // Tabs that a closing window disposes are restored later.
        if (!this.#closing) this.#sleeping.forget(context.key);
      }
      chat.dispose();
    });
    return chat;
  }
}
