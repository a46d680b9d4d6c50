import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { type ContextNode, selectedHistoryNodes, itemOf, type Node, nodeOf, type TaskNode, titleOf } from '../agentsView/agentNodes.ts';
import { eachContext } from '../agentsView/historyRows.ts';
import { askAgentName, configuredAgent } from '../agents/agentCommands.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { inARow, offerUndo } from '../platform/report.ts';
import { lastRemoval, restoreAgent } from '../platform/settings.ts';
import { escapeLinks, oneLine, truncated } from '../platform/untrustedText.ts';

type HistoryCommands = Pick<CommandHandlers, 'a2a.togglePin' | 'a2a.rename' | 'a2a.deleteFromHistory' | 'a2a.undoDelete'>;

/** Commands for contexts and tasks in the tree; they apply to all selected rows. */
export function historyCommands({
  agents,
  contexts,
  selection,
  rowsOfKey,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly selection: () => readonly Node[];
  /** The focused row first, then the other selected ones. */
  readonly rowsOfKey: () => Promise<readonly Node[]>;
}): HistoryCommands {
  const isAtWork = (key: string): boolean => {
    const context = contexts.get(key);
    return context?.running === true || context?.runningElsewhere === true;
  };
  const meant = (argument: unknown, rows: unknown, chosen = selection()): readonly (ContextNode | TaskNode)[] => {
    const nodes = selectedHistoryNodes(argument, rows, chosen);
    if (nodes.length === 0) throw new Problem('nothing-selected', sentence('Select a context or a task in the A2A view first.'));
    return nodes;
  };
  const deleteAllOf = async (agent: string): Promise<void> => {
    const items = [...eachContext(contexts, { agent })].map(({ key }) => ({ context: key }));
    await contexts.patiently(() => contexts.remove(items));
    const deleted = vscode.l10n.t('Deleted the history of "{0}".', truncated(oneLine(agent), 80));
    offerUndo(deleted, () => contexts.patiently(() => contexts.restore(items)));
  };
  return {
    'a2a.togglePin': (argument, rows) => {
      const nodes = meant(argument, rows);
      const pinned = nodes.every(isPinned);
      return contexts.patiently(() => contexts.pin(nodes.map(itemOf), !pinned));
    },
    'a2a.rename': async argument => {
      // F2 applies to the row that has the focus.
      const chosen = argument === undefined ? await rowsOfKey() : [];
      const target = argument ?? chosen[0];
      if (typeof target === 'string' || nodeOf('agent', target) !== undefined) {
        const agent = await configuredAgent(agents, target);
        if (agent !== undefined) await askAgentName(agent, agents, contexts);
        return;
      }
      const [node] = meant(argument, undefined, chosen.slice(0, 1));
      if (node === undefined) return;
      const title = await vscode.window.showInputBox({
        title: vscode.l10n.t('Rename'),
        value: oneLine(titleOf(node)),
        prompt: vscode.l10n.t('Your own title. Leave it empty for the original one.'),
        ignoreFocusOut: true,
      });
      if (title !== undefined) await contexts.patiently(() => contexts.rename(itemOf(node), title));
    },
    'a2a.deleteFromHistory': async (argument, rows) => {
      const chosen = argument === undefined ? await rowsOfKey() : [];
      const unconfigured = typeof argument === 'string' ? argument : unconfiguredIn(argument ?? chosen[0]);
      if (unconfigured !== undefined) return deleteAllOf(unconfigured);
      const nodes = argument === undefined ? meant(undefined, undefined, chosen) : meant(argument, rows);
      const items = nodes.map(itemOf);
      const running = nodes.some(node => (node.kind === 'context' ? isAtWork(node.context.key) : false));
      await contexts.patiently(() => contexts.remove(items));
      const [only] = nodes;
      const deleted =
        nodes.length === 1 && only !== undefined
          ? vscode.l10n.t('Deleted "{0}" from the history.', truncated(oneLine(titleOf(only)), 80))
          : vscode.l10n.t('Deleted {0} items from the history.', nodes.length);
      const stillRunning = running ? vscode.l10n.t('The agent is still working on it. Deleting does not cancel the task.') : '';
      offerUndo(inARow(deleted, stillRunning), () => contexts.patiently(() => contexts.restore(items)));
    },
    'a2a.undoDelete': async () => {
      const removal = lastRemoval();
      const restored = await contexts.patiently(() => contexts.restoreLast(removal?.at));
      if (restored === 0 && removal !== undefined) {
        await restoreAgent(removal.places);
        void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('Restored the agent "{0}".', removal.name)));
        return;
      }
      if (restored === 0) {
        throw new Problem('nothing-deleted', sentence('No deletion to undo.'), {
          nextStep: sentence('Deletions can be undone for one hour.'),
        });
      }
      void vscode.window.showInformationMessage(
        restored === 1 ? vscode.l10n.t('Restored 1 item.') : vscode.l10n.t('Restored {0} items.', restored),
      );
    },
  };
}

const isPinned = (node: ContextNode | TaskNode): boolean => (node.kind === 'context' ? node.context : node.task).pinned === true;

/** The agent of a row that is only there for its history. */
function unconfiguredIn(argument: unknown): string | undefined {
  const node = nodeOf('agent', argument);
  return node?.agent === undefined && node?.mistakes === undefined ? node?.name : undefined;
}
