import * as vscode from 'vscode';
import { RestartRuns, type RestartReport, type RestartSeries } from '../../model/again/restartRuns.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { type Node, nodeOf } from '../agentsView/agentNodes.ts';
import type { ChatPanels } from '../chat/panels.ts';
import { contextAt } from '../history/contextCommands.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { logError } from '../platform/log.ts';
import { report } from '../platform/report.ts';
import { escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import { compare, runConversationAgain, shownTitle } from './runAgainCommand.ts';
import { nextRunTitle } from './runTitle.ts';

/** Workspace state: the conversations that are run again on restart. */
const seriesKey = 'again.onRestart';
/** How long the status bar says that a run came out the same, in milliseconds. */
const toldMs = 10_000;

/** Registers the commands that run conversations again, and what runs them when their agent is back. */
export function registerAgain({
  agents,
  contexts,
  panels,
  selected,
  workspaceState,
  onDidChange,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly panels: Pick<ChatPanels, 'active' | 'shown' | 'open'>;
  /** The row that a command applies to if it has no argument. */
  readonly selected: () => Node | undefined;
  readonly workspaceState: vscode.Memento;
  /** A conversation is run on restart from now on, or no longer. */
  readonly onDidChange: () => void;
}) {
  const restarts = new RestartRuns({
    agents,
    contexts,
    kept: {
      get: () => workspaceState.get<readonly RestartSeries[]>(seriesKey, []),
      set: series => void workspaceState.update(seriesKey, series).then(undefined, report),
    },
    titleOf: original => nextRunTitle(contexts, original.agentName, original.title),
    isOpen: key => panels.shown.some(({ context }) => context.key === key),
    onRun: run => void tell(run).catch(report),
    onGivenUp: original => {
      const what = vscode.l10n.t('"{0}" no longer runs on restart: its agent was gone in each of the last runs.', shownTitle(original));
      void vscode.window.showWarningMessage(escapeLinks(what));
    },
    onError: logError,
  });
  const listener = restarts.onDidChange(onDidChange);
  /** A row or its key, a message of a chat, or the active chat. */
  const meant = (argument: unknown): { readonly context: AgentContext; readonly seq?: number } => {
    if (isObject(argument) && typeof argument['context'] === 'string' && typeof argument['seq'] === 'number')
      return { context: contextAt(contexts, argument['context']), seq: argument['seq'] };
    if (typeof argument === 'string') return { context: contextAt(contexts, argument) };
    const key = nodeOf('context', argument)?.context.key ?? nodeOf('task', argument)?.task.context;
    if (key !== undefined) return { context: contextAt(contexts, key) };
    const context = panels.active;
    if (context !== undefined) return { context };
    const row = argument === undefined ? selected() : undefined;
    if (row !== undefined) return meant(row);
    throw new Problem('nothing-selected', sentence('Open a chat, or select a context in the A2A view first.'));
  };
  return {
    /** The conversation is run on restart. */
    isOn: (key: string): boolean => restarts.isOn(key),
    /** The agent has conversations that are run on restart. */
    watches: (name: string): boolean => restarts.watches(name),
    dispose: () => {
      listener.dispose();
      restarts.dispose();
    },
    commands: {
      'a2a.runAgain': async argument => {
        const { context, seq } = meant(argument);
        await runConversationAgain(context, seq, { agents, contexts, openChat: chat => panels.open(chat) });
      },
      'a2a.runAgainOnRestart': argument => {
        const { context } = meant(argument);
        const title = shownTitle(context);
        void vscode.window.showInformationMessage(
          escapeLinks(
            restarts.toggle(context)
              ? vscode.l10n.t('"{0}" runs again each time its agent is back.', title)
              : vscode.l10n.t('"{0}" no longer runs when its agent is back.', title),
          ),
        );
      },
    } satisfies Pick<CommandHandlers, 'a2a.runAgain' | 'a2a.runAgainOnRestart'>,
  };
}

async function tell({ original, context, before, differs }: RestartReport): Promise<void> {
  const title = shownTitle(original);
  if (differs === undefined) {
    vscode.window.setStatusBarMessage(escapeIcons(vscode.l10n.t('"{0}" ran again: the same answers.', title)), toldMs);
    return;
  }
  const what = vscode.l10n.t('"{0}" ran again: turn {1} differs.', title, differs + 1);
  const choice = await vscode.window.showInformationMessage(escapeLinks(what), vscode.l10n.t('Compare'));
  if (choice !== undefined) await compare([before.key, context.key]);
}
