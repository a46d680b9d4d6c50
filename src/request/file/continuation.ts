import { isTerminal } from '../../protocol/message/taskState.ts';
import type { RequestResult } from '../values/requestResult.ts';

/** Where a message belongs that continues an earlier request. */
export interface Continuation {
  readonly contextId?: string;
  /** The task that the message is sent to. */
  readonly taskId?: string;
  /** Tasks that a new task refers to. */
  readonly referenceTaskIds?: readonly string[];
}

/**
 * How to continue a conversation (A2A 1.0 §3.4): always in the same context, and in the same task until it has ended. Finished tasks accept
 * no messages (§3.1.1), so then in a new task that refers to it.
 */
export function continuationOf({ task, message }: RequestResult): Continuation {
  const contextId = task?.contextId ?? message?.contextId;
  if (task === undefined) return { contextId };
  return isTerminal(task.status.state) ? { contextId, referenceTaskIds: [task.id] } : { contextId, taskId: task.id };
}
