import * as vscode from 'vscode';
import * as z from 'zod';
import type { Referral } from '../chat/messages.ts';
import type { AgentContext } from '../model/agentContext.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import { ChatPanel, type ChatPanelNeeds } from './chatPanel.ts';

/** The panel's own state in a restored tab: which context it showed. */
const PanelState = z.looseObject({ context: z.string() });

/** All open chat panels: one per context, restored after a reload of the window. */
export class ChatPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  static readonly viewType = 'a2a.chat';
  readonly #contexts: AgentContexts;
  readonly #needs: ChatPanelNeeds;
  readonly #panels = new Map<string, ChatPanel>();
  readonly #registration: vscode.Disposable;

  constructor(contexts: AgentContexts, needs: ChatPanelNeeds) {
    this.#contexts = contexts;
    this.#needs = needs;
    this.#registration = vscode.window.registerWebviewPanelSerializer(ChatPanels.viewType, this);
  }

  /** The context of the tab that has the focus, if it is a chat. */
  get active(): AgentContext | undefined {
    return [...this.#panels.values()].find(panel => panel.active)?.context;
  }

  /** The chats that are open: those in sight first, then the one that was opened last. */
  get shown(): readonly ChatPanel[] {
    return [...this.#panels.values()].reverse().sort((one, other) => Number(other.visible) - Number(one.visible));
  }

  /** Shows a context, in the tab it has already or in a new one. */
  open(context: AgentContext, column: vscode.ViewColumn = vscode.ViewColumn.Active): ChatPanel {
    const open = this.#panels.get(context.key);
    if (open !== undefined) {
      open.reveal();
      return open;
    }
    const panel = vscode.window.createWebviewPanel(ChatPanels.viewType, context.agentName, column, { enableScripts: true, enableForms: false });
    return this.#adopt(panel, context);
  }

  /** Shows a context with these put into its composer. */
  refer(context: AgentContext, references: readonly Referral[]): void {
    this.open(context);
    this.#panels.get(context.key)?.refer(references);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = PanelState.safeParse(state);
    const context = parsed.success ? this.#contexts.get(parsed.data.context) : undefined;
    if (context === undefined) panel.dispose();
    else this.#adopt(panel, context);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, context: AgentContext): ChatPanel {
    // A restored tab in the background comes to life only when it is shown; the context may have got another tab by then.
    const open = this.#panels.get(context.key);
    if (open !== undefined) {
      panel.dispose();
      open.reveal();
      return open;
    }
    panel.iconPath = vscode.Uri.joinPath(this.#needs.extensionUri, 'media', 'a2a-tab.svg');
    const chat = new ChatPanel(panel, context, this.#needs);
    this.#panels.set(context.key, chat);
    chat.onDidDispose(() => {
      if (this.#panels.get(context.key) === chat) this.#panels.delete(context.key);
      chat.dispose();
    });
    return chat;
  }
}
