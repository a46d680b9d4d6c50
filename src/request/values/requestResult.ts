import type { ListTasksResponse } from '../../protocol/message/operations.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import { taskStates } from '../../protocol/message/taskState.ts';

/** What a request brought: what later requests refer to and what the response document shows. */
export interface RequestResult {
  /** The task it made, continued or read, as it was when the request was over. */
  readonly task?: Task;
  /** The agent's answer where that is a message and no task. */
  readonly message?: Message;
  /** The answer to ListTasks; for a raw body, its last answer as it was on the wire. */
  readonly value?: ListTasksResponse | unknown;
}

type Member = 'task' | 'message' | 'context' | 'state' | 'value';

/** What `{{name.…}}` can begin with. */
export const resultMembers: Readonly<Record<Member, string>> = {
  task: 'The task: `id`, `contextId`, `status`, `artifacts`, `history`, `metadata`.',
  message: "The message the agent answered with instead of a task, or else the words of the task's status.",
  context: 'The conversation: `id`.',
  state: "The word for the task's state, such as `completed`.",
  value: 'The answer itself, of operations that answer neither a task nor a message.',
};

/** The value that `{{name}}` stands for. */
export function referable({ task, message, value }: RequestResult): Partial<Record<Member, unknown>> {
  const contextId = task?.contextId ?? message?.contextId;
  return {
    task,
    message: message ?? task?.status.message,
    context: contextId === undefined ? undefined : { id: contextId },
    state: task === undefined ? undefined : taskStates[task.status.state].label,
    value,
  };
}
