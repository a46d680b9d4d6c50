import * as vscode from 'vscode';
import { setContextKey } from '../platform/contextKeys.ts';

const key = 'tree.groupedByTime';

/** How the tree groups tasks: by context, or by when they last changed. Stored for all windows. */
export class Grouping implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    setContextKey('a2a.groupedByTime', this.byTime);
  }

  get byTime(): boolean {
    return this.#state.get(key) === true;
  }

  async set(byTime: boolean): Promise<void> {
    await this.#state.update(key, byTime);
    setContextKey('a2a.groupedByTime', byTime);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
