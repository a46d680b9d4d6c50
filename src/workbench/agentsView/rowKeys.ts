import * as vscode from 'vscode';
import { type Node, nodeId } from './agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';

/** How long after the key a row may take to run its command, in milliseconds. */
const patience = 1_000;

/**
 * Rows that are chosen with the keyboard. VS Code does not tell a row's command whether a key or the mouse ran it: our key says so, and then
 * leaves the choosing to VS Code.
 */
export class RowKeys {
  #until = 0;

  readonly commands: Pick<CommandHandlers, 'a2a.openRow'> = {
    'a2a.openRow': () => {
      this.#until = Date.now() + patience;
      return vscode.commands.executeCommand('list.select');
    },
  };

  /**
   * The rows that a key means while the focus is in the tree: the one that has the focus, first, and with it all that are selected where it is
   * one of them. VS Code tells extensions the selection alone: what changes where it selects or leaves the row with the focus is that row. It
   * does so twice, so that the selection stays as it was. `selection` is what it is at the moment.
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
  take(): boolean {
    const pressed = Date.now() < this.#until;
    this.#until = 0;
    return pressed;
  }
}

function without(nodes: readonly Node[], others: readonly Node[]): readonly Node[] {
  const ids = new Set(others.map(nodeId));
  return nodes.filter(node => !ids.has(nodeId(node)));
}
