import * as vscode from 'vscode';
import * as z from 'zod';
import { nextEvent } from '../platform/nextEvent.ts';

/** Under this key the workspace keeps which chats have tabs: by the context's key, the tab's title. */
const stateKey = 'a2a.chatTabs';
/** Most of them that are kept; the ones that were opened last. */
const mostKept = 200;
/** How long a tab that was brought to the front may take to be restored, in milliseconds. */
const patience = 3_000;

const KeptTitles = z.record(z.string(), z.string());
const focusGroup = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(
  nth => `workbench.action.focus${nth}EditorGroup`,
);

/**
 * Tabs that VS Code has drawn after a reload of the window and has not restored yet: it does so when one is brought to the front, and until
 * then neither tells what its panel kept nor lets anybody reveal it. `window.tabGroups` has no more of it than its title, which others may have,
 * too. So the tabs of that title are brought to the front, one after the other, until the context is among those that were restored.
 */
export class SleepingTabs {
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

  /** The context has a tab with this title. */
  remember(context: string, title: string): void {
    if (this.#titles.get(context) === title) return;
    this.#titles.delete(context);
    this.#titles.set(context, title);
    for (const oldest of [...this.#titles.keys()].slice(0, -mostKept)) this.#titles.delete(oldest);
    this.#keep();
  }

  /** Its tab is closed. */
  forget(context: string): void {
    if (this.#titles.delete(context)) this.#keep();
  }

  /** A tab was restored. */
  tellRestored(): void {
    this.#restored.fire();
  }

  /** Brings the context's tab to the front, if one sleeps; what says whether it is restored is `isOpen`. */
  async wake(context: string, isOpen: () => boolean): Promise<void> {
    const title = this.#titles.get(context);
    if (title === undefined) return;
    for (const tab of this.#tabs(title)) {
      const restored = nextEvent(this.#restored.event, patience);
      if (!(await bringToFront(tab))) continue;
      await restored;
      if (isOpen()) return;
    }
  }

  dispose(): void {
    this.#restored.dispose();
  }

  /** One that is in front of its group is restored already. */
  #tabs(title: string): vscode.Tab[] {
    return (
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        // VS Code puts something of its own before the type.
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

/** There is no API that shows a tab: VS Code's own commands show one by its place in the group that has the focus. */
async function bringToFront(tab: vscode.Tab): Promise<boolean> {
  const focus = focusGroup[tab.group.viewColumn - 1];
  const index = tab.group.tabs.indexOf(tab);
  if (focus === undefined || index < 0) return false;
  await vscode.commands.executeCommand(focus);
  await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', index);
  return true;
}
