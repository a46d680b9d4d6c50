import * as vscode from 'vscode';
import type { AgentContexts } from '../model/agentContexts.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { type ContextNode, historyNodes, itemOf, type Node, type TaskNode, titleOf } from './agentNodes.ts';
import type { CommandHandlers } from './commands.ts';
import type { Grouping } from './grouping.ts';
import { oneLine, unlinked } from './oneLine.ts';
import { report } from './report.ts';

type HistoryCommands = Pick<CommandHandlers,
  'a2a.pin' | 'a2a.unpin' | 'a2a.renameInHistory' | 'a2a.deleteFromHistory' | 'a2a.groupByTime' | 'a2a.groupByContext'>;

/** Commands for contexts and tasks in the tree. They mean all selected rows. */
export function historyCommands({ contexts, grouping, selection }: {
  readonly contexts: AgentContexts;
  readonly grouping: Grouping;
  readonly selection: () => readonly Node[];
}): HistoryCommands {
  const meant = (argument: unknown, rows: unknown): readonly (ContextNode | TaskNode)[] => {
    const nodes = historyNodes(argument, rows, selection());
    if (nodes.length === 0) throw new Problem('nothing-selected', sentence('Select a context or a task in the A2A view first.'));
    return nodes;
  };
  return {
    'a2a.pin': (argument, rows) => contexts.pin(meant(argument, rows).map(itemOf), true),
    'a2a.unpin': (argument, rows) => contexts.pin(meant(argument, rows).map(itemOf), false),
    'a2a.renameInHistory': async argument => {
      const [node] = meant(argument, undefined);
      if (node === undefined) return;
      const title = await vscode.window.showInputBox({
        title: vscode.l10n.t('Rename'), value: oneLine(titleOf(node)), prompt: vscode.l10n.t('A title of your own. Leave it empty for the first one.'),
      });
      if (title !== undefined) contexts.rename(itemOf(node), title);
    },
    'a2a.deleteFromHistory': (argument, rows) => {
      const nodes = meant(argument, rows);
      const items = nodes.map(itemOf);
      const running = nodes.some(node => (node.kind === 'context' ? contexts.get(node.context.key)?.running === true : false));
      contexts.remove(items);
      const [only] = nodes;
      const told = nodes.length === 1 && only !== undefined
        ? vscode.l10n.t('Deleted "{0}" from the history.', oneLine(titleOf(only)).slice(0, 80))
        : vscode.l10n.t('Deleted {0} items from the history.', nodes.length);
      const still = running ? vscode.l10n.t('The agent is still at work on it. Deleting does not cancel that.') : '';
      const undo = vscode.l10n.t('Undo');
      // Not awaited: the command is done, whatever becomes of the notification.
      void vscode.window.showInformationMessage(unlinked([told, still].filter(Boolean).join(' ')), undo)
        .then(choice => { if (choice === undo) contexts.restore(items); }).then(undefined, report);
    },
    'a2a.groupByTime': () => grouping.set(true),
    'a2a.groupByContext': () => grouping.set(false),
  };
}
