import type { Message } from '../../message/message.ts';
import type { Part } from '../../message/part.ts';
import type { StreamResponse, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../../message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../message/task.ts';
import { isActive, taskStates } from '../../message/taskState.ts';
import { withoutUndefined } from '../shared/fields.ts';
import { writeData } from '../shared/writeData.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A part of 0.3 (§6.5). `mediaType` and `filename` of text and data parts are lost. */
function writePart(part: Part): Fields {
  const { metadata } = part;
  if ('text' in part) return withoutUndefined({ kind: 'text', text: part.text, metadata });
  if ('raw' in part) {
    return withoutUndefined({
      kind: 'file',
      file: withoutUndefined({ bytes: part.raw, mimeType: part.mediaType, name: part.filename }),
      metadata,
    });
  }
  if ('url' in part) {
    return withoutUndefined({
      kind: 'file',
      file: withoutUndefined({ uri: part.url, mimeType: part.mediaType, name: part.filename }),
      metadata,
    });
  }
  return { kind: 'data', ...writeData(part) };
}

export function writeMessage(message: Message): Fields {
  return withoutUndefined({
    ...message,
    kind: 'message',
    role: message.role === 'ROLE_USER' ? 'user' : 'agent',
    parts: message.parts.map(writePart),
  });
}

function writeStatus(status: TaskStatus): Fields {
  return withoutUndefined({
    ...status,
    state: taskStates[status.state].label,
    message: status.message === undefined ? undefined : writeMessage(status.message),
  });
}

const writeArtifact = (artifact: Artifact): Fields => ({ ...artifact, parts: artifact.parts.map(writePart) });

/** A task (0.3 §6.1). 0.3 requires a `contextId`: without one, the task's id is used. */
export function writeTask(task: Task): Fields {
  return withoutUndefined({
    ...task,
    kind: 'task',
    contextId: task.contextId ?? task.id,
    status: writeStatus(task.status),
    artifacts: task.artifacts?.map(writeArtifact),
    history: task.history?.map(writeMessage),
  });
}

/** `final` marks the end of a turn: the task has ended or waits for the client (0.3 §7.2.2). */
function writeStatusUpdate(event: TaskStatusUpdateEvent): Fields {
  return {
    ...event,
    kind: 'status-update',
    contextId: event.contextId ?? event.taskId,
    status: writeStatus(event.status),
    final: !isActive(event.status.state),
  };
}

function writeArtifactUpdate(event: TaskArtifactUpdateEvent): Fields {
  return { ...event, kind: 'artifact-update', contextId: event.contextId ?? event.taskId, artifact: writeArtifact(event.artifact) };
}

/** One event of a stream, distinguished by `kind` (0.3 §7.2). */
export function writeStreamResponse(event: StreamResponse): Fields {
  if ('task' in event) return writeTask(event.task);
  if ('message' in event) return writeMessage(event.message);
  return 'statusUpdate' in event ? writeStatusUpdate(event.statusUpdate) : writeArtifactUpdate(event.artifactUpdate);
}
