import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { Node } from '../agentsView/agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { comparedContexts } from './comparedContexts.ts';
import { type ComparisonNeeds, ComparisonPages, comparisonType } from './comparisonPages.ts';
import { type SendToNeeds, sendTo } from './sendTo.ts';

interface CompareNeeds extends ComparisonNeeds, Pick<SendToNeeds, 'messageOf'> {
  readonly agents: Agents;
  readonly activeChat: () => AgentContext | undefined;
  /** The selected rows of the tree. */
  readonly selection: () => readonly Node[];
}

/** Registers the pages with compared runs, and the commands that open them. */
export function registerCompare(needs: CompareNeeds) {
  const pages = new ComparisonPages(needs);
  const parts = vscode.Disposable.from(
    pages,
    vscode.window.registerWebviewPanelSerializer(comparisonType, {
      deserializeWebviewPanel: (panel, state) => Promise.resolve(pages.restore(panel, state)),
    }),
  );
  const compare = (keys: readonly string[]): void => pages.open(keys);
  return {
    dispose: () => void parts.dispose(),
    commands: {
      'a2a.compareRuns': async (argument, rows) => {
        const keys = await comparedContexts({ argument, rows, selection: needs.selection() }, needs.contexts);
        if (keys !== undefined) compare(keys);
      },
      'a2a.sendTo': (file, key) => sendTo(file, key, { ...needs, compare }),
    } satisfies Partial<CommandHandlers>,
  };
}
