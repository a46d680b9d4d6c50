import type { Version } from '../../protocol/versions/shared/version.ts';

/** Name of the task API of early articles in cards and exchanges. */
export const taskRestBinding = 'TASK-REST';

export const isTaskRest = ({ taskRoutes }: Version): boolean => taskRoutes !== undefined;
