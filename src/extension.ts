import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { A2AWorkbenchExports } from '../api/a2a-workbench.d.ts';
import { AgentsTree } from './workbench/agentsView/agentsTree.ts';
import { type CommandId, commandIds, formerIds } from './workbench/platform/commands.ts';
import type { Workbench } from './workbench/register.ts';

/** The exports of the extension, for other extensions and for tests. */
export interface ExtensionExports extends A2AWorkbenchExports {
  /**
   * Resolves when everything is registered, or when a failure to open the history has been reported. Rejects if this installation is
   * broken.
   */
  readonly ready: Promise<void>;
}

/**
 * The entry point. It registers at once what VS Code looks up by name during activation: the commands and the tree. `main.ts` is loaded
 * right after; commands and tree requests that arrive before then wait for it, without delaying VS Code or other extensions.
 */
export function activate(extension: vscode.ExtensionContext): ExtensionExports {
  const tree = new AgentsTree();
  const workbench = enter(extension, tree);
  const register = (name: string, id: CommandId): vscode.Disposable =>
    vscode.commands.registerCommand(name, async (...args: unknown[]) => (await workbench).commands[id](...args));
  extension.subscriptions.push(
    tree,
    ...commandIds.map(id => register(id, id)),
    ...Object.entries(formerIds).map(([former, id]) => register(former, id)),
  );
  return {
    ready: workbench.then(() => undefined),
    getAPI: async (version, extensionId) => {
      if (version !== 1) throw new Error(`A2A Workbench has version 1 of its API, not ${String(version)}.`);
      return (await workbench).api(extensionId);
    },
  };
}

async function enter(extension: vscode.ExtensionContext, tree: AgentsTree): Promise<Workbench> {
  await setImmediate();
  try {
    const { open } = await import('./main.ts');
    return await open(extension, tree);
  } catch (error) {
    const [cause = ''] = String(error).split('\n');
    const why = vscode.l10n.t('A2A Workbench could not be loaded; install it again. Cause: {0}', cause);
    tree.showMessage(why);
    void vscode.window.showErrorMessage(why);
    throw error;
  }
}
