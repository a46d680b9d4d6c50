import type { Version } from '../../protocol/versions/shared/version.ts';

/** Name of the task API of early articles in cards and exchanges. */
export const taskRestBinding = 'TASK-REST';

/** Whether a protocol version is of that API. */
export const isTaskRest = ({ taskRoutes }: Version): boolean => taskRoutes !== undefined;
