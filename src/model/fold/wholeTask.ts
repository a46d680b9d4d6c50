import type { Task } from '../../protocol/message/task.ts';

/** The task with everything in memory (`GrowingParts.under`), for those who keep it longer than the history may. */
export const wholeTask = (task: Task): Task =>
  task.artifacts === undefined ? task : { ...task, artifacts: task.artifacts.map(artifact => ({ ...artifact })) };
