import type { Message } from './message.ts';
import type { Artifact, Task, TaskStatus } from './task.ts';

/** A task's status changed (A2A 1.0 §4.2.1). */
export interface TaskStatusUpdateEvent {
  readonly taskId: string;
  readonly contextId?: string;
  readonly status: TaskStatus;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Part of an artifact (A2A 1.0 §4.2.2): `append` adds its parts to the artifact with that id; otherwise it replaces the artifact. */
export interface TaskArtifactUpdateEvent {
  readonly taskId: string;
  readonly contextId?: string;
  readonly artifact: Artifact;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The result of SendMessage (A2A 1.0 §3.1.1): a task or a message. */
export type SendMessageResponse = { readonly task: Task } | { readonly message: Message };

/** One event of a stream (A2A 1.0 §3.2.3). */
export type StreamResponse =
  | SendMessageResponse
  | { readonly statusUpdate: TaskStatusUpdateEvent }
  | { readonly artifactUpdate: TaskArtifactUpdateEvent };

/** The task that an event belongs to; undefined for a message outside any task. */
export function taskIdOf(event: StreamResponse): string | undefined {
  if ('task' in event) return event.task.id;
  if ('message' in event) return event.message.taskId;
  return 'statusUpdate' in event ? event.statusUpdate.taskId : event.artifactUpdate.taskId;
}

/** The context that an event belongs to, where it names one. */
export function contextIdOf(event: StreamResponse): string | undefined {
  if ('task' in event) return event.task.contextId;
  if ('message' in event) return event.message.contextId;
  return 'statusUpdate' in event ? event.statusUpdate.contextId : event.artifactUpdate.contextId;
}
