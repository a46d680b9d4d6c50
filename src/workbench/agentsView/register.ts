import * as vscode from 'vscode';
import { AgentDecorations } from './agentDecorations.ts';
import { nodeOf } from './agentNodes.ts';
import { AgentsView, type AgentsViewNeeds } from './agentsView.ts';
import { filterCommands } from './filterCommands.ts';
import { Grouping } from './grouping.ts';
import { KeyboardRows } from './keyboardRows.ts';
import { TaskFilter } from './taskFilter.ts';

/** Registers the rows of the tree, how they are filtered and grouped, and the keys on them. `globalState` is shared by all windows. */
export function registerAgentsView(needs: Omit<AgentsViewNeeds, 'filter' | 'grouping'> & { readonly globalState: vscode.Memento }) {
  const filter = new TaskFilter();
  const grouping = new Grouping(needs.globalState);
  const view = new AgentsView({ ...needs, filter, grouping });
  const rowKeys = new KeyboardRows();
  const parts = vscode.Disposable.from(new AgentDecorations(), filter, grouping, view);
  return {
    view,
    rowKeys,
    dispose: () => void parts.dispose(),
    commands: {
      ...rowKeys.commands,
      ...filterCommands(filter),
      ...grouping.commands,
      'a2a.loadMore': async (parent: unknown) => {
        const node = nodeOf('more', parent);
        if (node !== undefined) await view.loadMore(node);
      },
    },
  };
}
