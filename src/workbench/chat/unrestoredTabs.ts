import * as vscode from 'vscode';
import * as z from 'zod';
import { nextEvent } from '../platform/nextEvent.ts';

/** Workspace state: the tab titles of open chats, by the key of the context. */
const stateKey = 'a2a.chatTabs';
/** Maximum number of titles that are kept, those opened last. */
const maxKept = 200;
/** Timeout for VS Code to restore a tab that was brought to the front, in milliseconds. */
const restoreTimeoutMs = 3_000;

const KeptTitles = z.record(z.string(), z.string());
const focusGroup = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(
  nth => `workbench.action.focus${nth}EditorGroup`,
);

/**
 * Tabs that VS Code shows after a reload of the window but has not restored yet ("sleeping"). VS Code restores a tab when it is brought to
 * the front; before that an extension can neither read its panel's state nor reveal it, and `window.tabGroups` has only its title, which is
 * not unique. So the tabs with the title of the context are brought to the front, one after the other, until the context's panel is
 * restored.
 */
export class UnrestoredTabs {
  readonly #viewType: string;
  readonly #state: vscode.Memento;
  readonly #titles: Map<string, string>;
  readonly #restored = new vscode.EventEmitter<void>();

  constructor(viewType: string, state: vscode.Memento) {
    this.#viewType = viewType;
    this.#state = state;
    const kept = KeptTitles.safeParse(state.get(stateKey));
    this.#titles = new Map(kept.success ? Object.entries(kept.data) : []);
  }

  /** Records that the context has a tab with this title. */
  add(context: string, title: string): void {
    if (this.#titles.get(context) === title) return;
    this.#titles.delete(context);
    this.#titles.set(context, title);
    for (const oldest of [...this.#titles.keys()].slice(0, -maxKept)) this.#titles.delete(oldest);
    this.#keep();
  }

  /** Records that the context's tab was closed. */
  forget(context: string): void {
    if (this.#titles.delete(context)) this.#keep();
  }

  /** Call when VS Code has restored a tab. */
  markRestored(): void {
    this.#restored.fire();
  }

  /**
   * Brings the context's sleeping tab to the front, if it has one.
   * @param isOpen true once the context's panel is restored
   */
  async restore(context: string, isOpen: () => boolean): Promise<void> {
    const title = this.#titles.get(context);
    if (title === undefined) return;
    for (const tab of this.#tabs(title)) {
      const restored = nextEvent(this.#restored.event, restoreTimeoutMs);
      if (!(await bringToFront(tab))) continue;
      await restored;
      if (isOpen()) return;
    }
  }

  dispose(): void {
    this.#restored.dispose();
  }

  /** Candidates with this title; the active tab of a group is restored already. */
  #tabs(title: string): vscode.Tab[] {
    return (
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        // VS Code puts a prefix before the view type.
        .filter(
          ({ input, label, isActive }) =>
            !isActive && label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(this.#viewType),
        )
    );
  }

  #keep(): void {
    void this.#state.update(stateKey, Object.fromEntries(this.#titles));
  }
}

/** There is no API to activate a tab, so VS Code's commands focus its group and open the tab by index. False if it has no such command. */
async function bringToFront(tab: vscode.Tab): Promise<boolean> {
  const focus = focusGroup[tab.group.viewColumn - 1];
  const index = tab.group.tabs.indexOf(tab);
  if (focus === undefined || index < 0) return false;
  await vscode.commands.executeCommand(focus);
  await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', index);
  return true;
}
