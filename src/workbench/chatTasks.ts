import * as vscode from 'vscode';
import type { RequestHandlers, ShownTask } from '../chat/messages.ts';
import type { AgentContext } from '../model/agentContext.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { CommandId } from './commands.ts';

const longestTitle = 300;

/** What the panel asks about the tasks of its context. */
export function chatTasks(context: AgentContext): Pick<RequestHandlers, 'tasks' | 'openTask'> {
  return {
    tasks: async () => {
      const { tasks, older } = context.linkedTasks();
      return {
        older,
        tasks: tasks.map(({ context: key, title, seq, ...task }): ShownTask => ({
          ...task, title: title.slice(0, longestTitle), ...(key === context.key ? seq !== undefined && { seq } : { elsewhere: true as const }),
        })),
      };
    },
    openTask: async ({ taskId }) => {
      const task = context.linkedTasks().tasks.find(each => each.taskId === taskId);
      if (task === undefined) throw new Problem('gone', sentence('This task is no longer in the history.'));
      void vscode.commands.executeCommand('a2a.openTask' satisfies CommandId, { kind: 'task', task });
      return null;
    },
  };
}
