import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { TaskReducer } from './taskReducer.ts';

/**
 * Applies events to one task: returns the task afterwards, and the changes in order. Pure. `taskId` is used where neither the task nor the
 * events have the task's id. For a long stream keep a `TaskReducer`: this copies the task once a call.
 */
export function applyUpdates(
  task: Task | undefined,
  events: readonly StreamResponse[],
  {
    taskId,
    complete = new Set(),
  }: {
    readonly taskId: string;
    /** Artifacts of the task that expect no more chunks. */
    readonly complete?: ReadonlySet<string>;
  },
): { readonly task: Task; readonly changes: readonly TaskChange[] } {
  const folded = new TaskReducer(task?.id ?? taskId, task === undefined ? undefined : { task, complete });
  const changes = events.flatMap(event => folded.apply(event));
  return { task: folded.task, changes };
}
