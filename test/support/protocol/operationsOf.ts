import type { Operation } from '../../../src/protocol/message/operations.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';

/** Whether a generation has an operation, whatever it travels over. */
export const has = ({ methods, taskRoutes }: Version, operation: Operation): boolean =>
  methods[operation] !== undefined || taskRoutes?.[operation] !== undefined;

/** Whether a version is one of A2A: its objects have A2A's shape, and it uses JSON-RPC. */
export const isA2A = ({ methods }: Version): boolean => methods.SendMessage !== undefined;
