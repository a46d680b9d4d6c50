import * as vscode from 'vscode';
import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandId } from '../platform/commands.ts';
import { panelTasks } from '../agentsView/shownTasks.ts';

/** Handlers of the panel's requests about the tasks of its context. */
export function chatTasks(context: AgentContext): Pick<RequestHandlers, 'tasks' | 'openTask' | 'manageNotifications'> {
  return {
    tasks: async ({ unfolded }) => panelTasks(context.linkedTasks(), context.key, new Set(unfolded)),
    manageNotifications: async ({ taskId }) => {
      const task = context.taskSummary(taskId);
      if (task === undefined) throw new Problem('gone', sentence('This task is no longer in the history.'));
      void vscode.commands.executeCommand('a2a.pushNotifications' satisfies CommandId, { kind: 'task', task });
    },
    openTask: async ({ taskId }) => {
      const task = context.linkedTasks().tasks.find(each => each.taskId === taskId);
      if (task === undefined) throw new Problem('gone', sentence('This task is no longer in the history.'));
      void vscode.commands.executeCommand('a2a.openTask' satisfies CommandId, { kind: 'task', task });
    },
  };
}
