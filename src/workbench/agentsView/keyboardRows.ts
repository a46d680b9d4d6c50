import * as vscode from 'vscode';
import { type Node, nodeId } from './agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';

/** A row's command counts as run by key up to this long after the key, in milliseconds. */
const keyTimeoutMs = 1_000;

/**
 * Detects whether a row was opened with the keyboard. VS Code does not pass on whether a key or the mouse ran a row's command; so our
 * keybinding notes the time and then runs VS Code's own `list.select`.
 */
export class KeyboardRows {
  #until = 0;

  readonly commands: Pick<CommandHandlers, 'a2a.openRow'> = {
    'a2a.openRow': () => {
      this.#until = Date.now() + keyTimeoutMs;
      return vscode.commands.executeCommand('list.select');
    },
  };

  /**
   * The rows that a keybinding applies to while the tree has the focus: the focused row first, and, if it is selected, the other selected
   * rows. Extensions can read the selection but not the focus, so the selection of the focused row is toggled twice: the row that changes
   * is the focused one, and the selection ends up as it was.
   * @param selection returns the current selection
   */
  async meant(selection: () => readonly Node[]): Promise<readonly Node[]> {
    const before = selection();
    await vscode.commands.executeCommand('list.toggleSelection');
    const between = selection();
    await vscode.commands.executeCommand('list.toggleSelection');
    const [added] = without(between, before);
    const [left] = without(before, between);
    if (added !== undefined) return [added];
    return left === undefined ? before : [left, ...without(before, [left])];
  }

  /** True for the first command that a row runs after the key. */
  takeKeyPress(): boolean {
    const pressed = Date.now() < this.#until;
    this.#until = 0;
    return pressed;
  }
}

function without(nodes: readonly Node[], others: readonly Node[]): readonly Node[] {
  const ids = new Set(others.map(nodeId));
  return nodes.filter(node => !ids.has(nodeId(node)));
}
