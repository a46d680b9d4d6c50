import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { nodeOf, type Node } from '../agentsView/agentNodes.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';

/** The task that a command is about. */
export interface TaskMeant {
  readonly context: AgentContext;
  readonly taskId: string;
  /** Title of the task on one line, shortened. */
  readonly title: string;
}

/** Length of a shown task title, in characters. */
const shownTitle = 60;

/** A task in words. */
export function taskTitle(context: AgentContext, taskId: string): string {
  const title = oneLine(context.taskSummary(taskId)?.title ?? '');
  return (title === '' ? taskId : title).slice(0, shownTitle);
}

/**
 * The task of the row that a command was run on; otherwise one of the active chat, which is asked for if it has several; otherwise that of the
 * selected row. Undefined if the person picks none.
 */
export async function taskMeant(
  argument: unknown,
  {
    contexts,
    activeChat,
    selected,
  }: {
    readonly contexts: AgentContexts;
    readonly activeChat: () => AgentContext | undefined;
    readonly selected: () => Node | undefined;
  },
): Promise<TaskMeant | 'none' | undefined> {
  const meant = (context: AgentContext | undefined, taskId: string): TaskMeant => {
    if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
    return { context, taskId, title: taskTitle(context, taskId) };
  };
  const row = nodeOf('task', argument);
  if (row !== undefined) return meant(contexts.get(row.task.context), row.task.taskId);
  const chat = activeChat();
  const tasks = chat?.tasks({ limit: 100 }) ?? [];
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1) return meant(chat, only.taskId);
  if (only !== undefined) {
    const picked = await vscode.window.showQuickPick(
      tasks.map(({ taskId, title, state }) => ({
        label: escapeIcons(oneLine(title)).slice(0, shownTitle) || taskId,
        description: taskStates[state].label,
        detail: taskId,
        taskId,
      })),
      { title: vscode.l10n.t('Which task?'), matchOnDetail: true },
    );
    return picked && meant(chat, picked.taskId);
  }
  const node = nodeOf('task', selected());
  return node === undefined ? 'none' : meant(contexts.get(node.task.context), node.task.taskId);
}
