import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import type { Message } from '../../message/message.ts';
import type { StreamResponse, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../../message/streamResponse.ts';
import type { Task } from '../../message/task.ts';
import { items, withUnknownMembers, optionalBoolean, optionalObject, optionalString, requiredString } from '../shared/fields.ts';
import { readArtifact, readMessage, readStatus, readTask, type ReadStyle } from '../shared/readTask.ts';
import { noEvent, unreadable } from '../shared/unreadable.ts';
import { sentence } from '../../problem.ts';

type Fields = Readonly<Record<string, unknown>>;

export const style0_1: ReadStyle = {
  parts: 'type',
  stateSpelling: state => state === state.toLowerCase() && !state.includes('_') && state !== 'cancelled',
  userRole: 'user',
  agentRole: 'agent',
  messageIds: false,
  statusInHistory: true,
  artifactIndex: true,
  zonedTimestamps: false,
};

/** An `artifactId` made from the `index` of a 0.1 artifact. */
const artifactIdOf = (index: number): string => `index-${index}`;

/** An artifact's `index`; where it is missing, 0 (0.1 §6.7) or, in the list of a task, its position. */
function indexOf(artifact: Fields, otherwise: number): number {
  const index = artifact['index'];
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : otherwise;
}

/** The artifact with an `artifactId` instead of its `index`, and without the members that belong to the event. */
function identified(artifact: Fields, otherwise: number): Fields {
  const { index: _index, append: _append, lastChunk: _lastChunk, ...rest } = artifact;
  return typeof rest['artifactId'] === 'string' ? rest : { ...rest, artifactId: artifactIdOf(indexOf(artifact, otherwise)) };
}

/** Reads a task (0.1 §6.1): `sessionId` is its context. */
export function readTask0_1(value: unknown, note: Note): Task {
  const task = isObject(value) && isObject(value['task']) && !('status' in value) ? value['task'] : value;
  if (task !== value) note('DATA-01', '', sentence('The task should be bare, not inside a member.'));
  if (!isObject(task)) throw unreadable(sentence('task'), '');
  const { sessionId, ...rest } = task;
  return readTask(
    {
      ...rest,
      ...(sessionId === undefined || sessionId === null ? {} : { contextId: sessionId }),
      ...(Array.isArray(task['artifacts']) && {
        artifacts: task['artifacts'].map((artifact: unknown, place) => (isObject(artifact) ? identified(artifact, place) : artifact)),
      }),
    },
    '',
    note,
    style0_1,
  );
}

const statusUpdateMembers = new Set(['id', 'sessionId', 'status', 'final', 'metadata']);

function readStatusUpdate(value: Fields, note: Note): TaskStatusUpdateEvent {
  return withUnknownMembers(value, statusUpdateMembers, {
    taskId: requiredString(value, 'id', '', note, () => ''),
    contextId: optionalString(value, 'sessionId', '', note) || undefined,
    status: readStatus(value['status'], '/status', note, style0_1),
    metadata: optionalObject(value, 'metadata'),
  });
}

const artifactUpdateMembers = new Set(['id', 'sessionId', 'artifact', 'final', 'metadata']);

function readArtifactUpdate(value: Fields, artifact: Fields, note: Note): TaskArtifactUpdateEvent {
  return withUnknownMembers(value, artifactUpdateMembers, {
    taskId: requiredString(value, 'id', '', note, () => ''),
    contextId: optionalString(value, 'sessionId', '', note) || undefined,
    artifact: readArtifact(identified(artifact, 0), '/artifact', note, style0_1),
    append: optionalBoolean(artifact, 'append') ?? optionalBoolean(value, 'append'),
    lastChunk: optionalBoolean(artifact, 'lastChunk') ?? optionalBoolean(value, 'lastChunk'),
    metadata: optionalObject(value, 'metadata'),
  });
}

/**
 * Reads one event of a stream (0.1 §7.2): an artifact or a status, distinguished by its member. An object with more than a status is a
 * whole task.
 * @throws Problem `unreadable-answer`
 */
export function readStreamResponse0_1(event: unknown, note: Note): StreamResponse {
  if (!isObject(event)) throw noEvent(event);
  if (isObject(event['artifact'])) return { artifactUpdate: readArtifactUpdate(event, event['artifact'], note) };
  if (isObject(event['status']) && !('final' in event) && ['artifacts', 'history', 'sessionId'].some(name => name in event)) {
    return { task: readTask0_1(event, note) };
  }
  if (isObject(event['status'])) return { statusUpdate: readStatusUpdate(event, note) };
  throw noEvent(event);
}

/**
 * Reads the answer to a send. 0.1 answers with tasks only, but a message is accepted.
 * @throws Problem `unreadable-answer`
 */
export function readSend0_1(result: unknown, note: Note): { readonly task: Task } | { readonly message: Message } {
  if (isObject(result) && !isObject(result['status']) && !isObject(result['task']) && items(result['parts']).length > 0) {
    note('CORE-01', '', sentence('A2A 0.1 answers with a task, not with a message.'));
    return { message: readMessage(result, '', note, style0_1, 'ROLE_AGENT') };
  }
  if (!isObject(result) || !(isObject(result['status']) || isObject(result['task']))) throw noEvent(result);
  return { task: readTask0_1(result, note) };
}
