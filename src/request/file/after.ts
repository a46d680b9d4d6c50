import { isTerminal } from '../../protocol/message/taskState.ts';
import type { RequestResult } from '../values/requestResult.ts';

/** Where a message goes that continues an earlier request. */
export interface Continuation {
  readonly contextId?: string;
  /** The task that the message goes into. */
  readonly taskId?: string;
  /** Tasks that a new task refers to. */
  readonly referenceTaskIds?: readonly string[];
}

/**
 * A2A's own rules for going on (1.0 §3.4): always in the same context; in the same task until it is over, since a finished task takes no
 * more messages (§3.1.1); then in a new one that refers to it.
 */
export function continuationOf({ task, message }: RequestResult): Continuation {
  const contextId = task?.contextId ?? message?.contextId;
  if (task === undefined) return { contextId };
  return isTerminal(task.status.state) ? { contextId, referenceTaskIds: [task.id] } : { contextId, taskId: task.id };
}
