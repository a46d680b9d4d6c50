import type { ListTasksResponse } from '../../protocol/message/operations.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import type { Path } from '../text/path.ts';

/** The result of a request: later requests refer to it and the response document shows it. */
export interface RequestResult {
  /** The task that it created, continued or read, in its state at the end of the request. */
  readonly task?: Task;
  /** The agent's answer where that is a message instead of a task. */
  readonly message?: Message;
  /** The result of ListTasks; for a raw body, its last answer as received. */
  readonly value?: ListTasksResponse | unknown;
  /** Results of a request that is sent several times, one for each row; undefined for rows that were not sent. */
  readonly results?: readonly (RequestResult | undefined)[];
}

type Member = 'task' | 'message' | 'context' | 'state' | 'value';

/** Members that can follow `{{name.`. */
export const resultMembers: Readonly<Record<Member, string>> = {
  task: 'The task: `id`, `contextId`, `status`, `artifacts`, `history`, `metadata`.',
  message: "The message the agent answered with instead of a task, or else the words of the task's status.",
  context: 'The conversation: `id`.',
  state: "The word for the task's state, such as `completed`.",
  value: 'The answer itself, of operations that answer neither a task nor a message.',
};

/** The value of `{{name}}`. */
export function referenceValues({ task, message, value }: RequestResult): Partial<Record<Member, unknown>> {
  const contextId = task?.contextId ?? message?.contextId;
  return {
    task,
    message: message ?? task?.status.message,
    context: contextId === undefined ? undefined : { id: contextId },
    state: task === undefined ? undefined : taskStates[task.status.state].label,
    value,
  };
}

/** The result of one row, where a path begins with its position, and what follows it. A request that is sent once has one row. */
export function rowIn(result: RequestResult | undefined, path: Path): { readonly row: RequestResult | undefined; readonly rest: Path } {
  const [first] = path;
  if (typeof first !== 'number') return { row: result, rest: path };
  return { row: (result?.results ?? [result]).at(first), rest: path.slice(1) };
}
