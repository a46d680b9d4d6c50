import { fnv1a } from '../../fnv1a.ts';
import { isObject } from '../../json.ts';
import type { Message } from '../../message/message.ts';
import type { Part } from '../../message/part.ts';
import type { SendMessageResponse, StreamResponse } from '../../message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../message/task.ts';
import { isActive, taskStates, type TaskState } from '../../message/taskState.ts';
import { withoutUndefined } from '../shared/fields.ts';
import { writeData } from '../shared/writeData.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Data parts of 0.1 hold objects and arrays (0.1 §6.5.3). */
const holds = (data: unknown): boolean => isObject(data) || Array.isArray(data);

function writePart(part: Part): Fields {
  const { metadata } = part;
  if ('text' in part) return withoutUndefined({ type: 'text', text: part.text, metadata });
  const { mediaType: mimeType, filename: name } = part;
  if ('raw' in part) return withoutUndefined({ type: 'file', file: withoutUndefined({ bytes: part.raw, mimeType, name }), metadata });
  if ('url' in part) return withoutUndefined({ type: 'file', file: withoutUndefined({ uri: part.url, mimeType, name }), metadata });
  return { type: 'data', ...writeData(part, holds) };
}

/** A message has no id, task or context of its own (0.1 §6.4). */
export const writeMessage0_1 = ({ role, parts, metadata }: Message): Fields =>
  withoutUndefined({ role: role === 'ROLE_USER' ? 'user' : 'agent', parts: parts.map(writePart), metadata });

/** States that 0.1 does not have (0.1 §6.3): rejected becomes failed, and auth-required becomes input-required. */
const states: { readonly [S in TaskState]?: string } = {
  TASK_STATE_REJECTED: taskStates.TASK_STATE_FAILED.label,
  TASK_STATE_AUTH_REQUIRED: taskStates.TASK_STATE_INPUT_REQUIRED.label,
};

const writeStatus = ({ state, message, timestamp }: TaskStatus): Fields =>
  withoutUndefined({
    state: states[state] ?? taskStates[state].label,
    message: message === undefined ? undefined : writeMessage0_1(message),
    timestamp,
  });

/**
 * Artifacts have only a number. An id that was read from an `index` is converted back; any other id gives a number computed from it alone,
 * so that events and snapshots agree.
 */
function indexOf(artifactId: string): number {
  const [, digits] = /^index-(\d{1,15})$/.exec(artifactId) ?? [];
  return digits === undefined ? fnv1a(artifactId) : Number(digits);
}

const writeArtifact = ({ artifactId, name, description, parts, metadata }: Artifact): Fields =>
  withoutUndefined({ name, description, parts: parts.map(writePart), index: indexOf(artifactId), metadata });

/** The history ends with the message of the status. */
function writeHistory(history: readonly Message[], current: Message | undefined): readonly Fields[] {
  const last = history.at(-1);
  const ends =
    current === undefined ||
    last === undefined ||
    (last.role === current.role && isSame(last.parts.map(writePart), current.parts.map(writePart)));
  return (ends ? history : [...history, current]).map(writeMessage0_1);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function writeTask0_1({ id, contextId, status, artifacts, history, metadata }: Task): Fields {
  return withoutUndefined({
    id,
    sessionId: contextId,
    status: writeStatus(status),
    artifacts: artifacts?.map(writeArtifact),
    history: history && writeHistory(history, status.message),
    metadata,
  });
}

/** 0.1 has no answers that are messages: the message becomes that of a completed task. */
export const taskOfMessage = (message: Message): Task => ({
  id: message.taskId ?? message.messageId,
  contextId: message.contextId,
  status: { state: 'TASK_STATE_COMPLETED', message },
});

export const writeSendResult0_1 = (result: SendMessageResponse): Fields =>
  writeTask0_1('task' in result ? result.task : taskOfMessage(result.message));

const writeStatusEvent = (id: string, status: TaskStatus, metadata: Fields | undefined): Fields =>
  withoutUndefined({ id, status: writeStatus(status), final: !isActive(status.state), metadata });

/** One event of a stream (0.1 §7.2): 0.1 has only status and artifact events. */
export function writeStreamResponse0_1(event: StreamResponse): Fields {
  if ('artifactUpdate' in event) {
    const { taskId, artifact, append, lastChunk, metadata } = event.artifactUpdate;
    return withoutUndefined({ id: taskId, artifact: withoutUndefined({ ...writeArtifact(artifact), append, lastChunk }), metadata });
  }
  if ('statusUpdate' in event) {
    const { taskId, status, metadata } = event.statusUpdate;
    return writeStatusEvent(taskId, status, metadata);
  }
  const { id, status, metadata } = 'task' in event ? event.task : taskOfMessage(event.message);
  return writeStatusEvent(id, status, metadata);
}
