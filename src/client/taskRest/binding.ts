import type { Version } from '../../protocol/versions/shared/version.ts';

/** As cards and exchanges name the task API of early articles. */
export const taskRestBinding = 'TASK-REST';

/** Whether a protocol version is of that API. */
export const isTaskRest = ({ taskRoutes }: Version): boolean => taskRoutes !== undefined;
