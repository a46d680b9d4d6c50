import type { UnaryOperation, UnaryResults } from '../../protocol/message/operations.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';

/** A task whose state is in an answer. */
export interface TaskWithState {
  readonly id: string;
  readonly state: TaskState;
}

const seen = ({ id, status: { state } }: Pick<Task, 'id' | 'status'>): TaskWithState => ({ id, state });

/** The tasks whose state is in an event or in the result of an operation. */
export function tasksIn(answer: StreamResponse | UnaryResults[UnaryOperation]): readonly TaskWithState[] {
  if ('task' in answer) return [seen(answer.task)];
  if ('statusUpdate' in answer) return [{ id: answer.statusUpdate.taskId, state: answer.statusUpdate.status.state }];
  if ('tasks' in answer) return answer.tasks.map(seen);
  return 'id' in answer && 'status' in answer ? [seen(answer)] : [];
}
