import * as vscode from 'vscode';
import type { CommandHandlers } from '../platform/commands.ts';

const key = 'tree.groupedByTime';

/** Grouping of tasks in the tree: by context, or by when they last changed. Stored for all windows. */
export class Grouping implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;
  readonly commands: Pick<CommandHandlers, 'a2a.groupTasks'> = {
    'a2a.groupTasks': async () => {
      const picked = await vscode.window.showQuickPick(
        [
          { label: vscode.l10n.t('Context'), byTime: false },
          { label: vscode.l10n.t('Time of Last Change'), byTime: true },
        ].map(item => ({ ...item, description: item.byTime === this.byTime ? vscode.l10n.t('chosen') : '' })),
        { title: vscode.l10n.t('Group Tasks By') },
      );
      if (picked !== undefined) await this.set(picked.byTime);
    },
  };

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get byTime(): boolean {
    return this.#state.get(key) === true;
  }

  async set(byTime: boolean): Promise<void> {
    await this.#state.update(key, byTime);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
