import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { AgentsTree } from './workbench/agentsView/agentsTree.ts';
import { commandIds, type CommandHandlers } from './workbench/platform/commands.ts';

/** What other extensions, and tests, can wait for. */
export interface ExtensionApi {
  /** Resolves when the history is open and everything is registered, or it has been told why it is not. Rejects where this installation is broken. */
  readonly ready: Promise<void>;
}

/**
 * The entry point. It has what VS Code asks for by name in the moment that activates us: the commands and the tree. `main.ts` behind it is
 * loaded right after, and what is asked meanwhile waits; VS Code and other extensions do not.
 */
export function activate(extension: vscode.ExtensionContext): ExtensionApi {
  const tree = new AgentsTree();
  const commands = enter(extension, tree);
  extension.subscriptions.push(
    tree,
    ...commandIds.map(id => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await commands)[id](...args))),
  );
  return { ready: commands.then(() => undefined) };
}

async function enter(extension: vscode.ExtensionContext, tree: AgentsTree): Promise<CommandHandlers> {
  await setImmediate();
  try {
    const { open } = await import('./main.ts');
    return await open(extension, tree);
  } catch (error) {
    const [cause = ''] = String(error).split('\n');
    const why = vscode.l10n.t('A2A Workbench could not be loaded; install it again. Cause: {0}', cause);
    tree.explain(why);
    void vscode.window.showErrorMessage(why);
    throw error;
  }
}
