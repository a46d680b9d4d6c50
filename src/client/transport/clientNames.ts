import { randomUUID } from 'node:crypto';
import { isSend, type Operation, type OperationParams } from '../../protocol/message/operations.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';

/**
 * Adds the ids that the client must assign in 0.1 (§7.1): a new task gets the id of the message that starts it, a new context a random id.
 * In every other protocol version the agent assigns both, and nothing is changed.
 */
export function withNames<O extends Operation>(operation: O, params: OperationParams[O], version: Version): OperationParams[O] {
  if (!version.clientAssignsIds || !isSend(operation) || !('message' in params)) return params;
  const { message } = params;
  return { ...params, message: { ...message, taskId: message.taskId ?? message.messageId, contextId: message.contextId ?? randomUUID() } };
}

/** The context of a send in 0.1, whose events do not contain it. */
export function namedContext(params: OperationParams[Operation], version: Version): string | undefined {
  return version.clientAssignsIds && 'message' in params ? params.message.contextId : undefined;
}

/** Adds the context of the request to an answer that does not have one. */
export function inContext(event: StreamResponse, contextId: string | undefined): StreamResponse {
  if (contextId === undefined) return event;
  // The answer's own members come last, so that they take precedence.
  if ('task' in event) return { task: { contextId, ...event.task } };
  if ('message' in event) return { message: { contextId, ...event.message } };
  if ('statusUpdate' in event) return { statusUpdate: { contextId, ...event.statusUpdate } };
  return { artifactUpdate: { contextId, ...event.artifactUpdate } };
}
