import { fnv1a } from '../../fnv1a.ts';
import { isObject } from '../../json.ts';
import type { Note } from '../../finding.ts';
import type { Message } from '../../message/message.ts';
import { Problem, sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../../message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../message/task.ts';
import { readTaskState } from '../../message/taskState.ts';
import {
  items,
  withUnknownMembers,
  mapObjects,
  optionalBoolean,
  optionalObject,
  optionalString,
  optionalStrings,
  requiredString,
} from './fields.ts';
import { readParts, type PartStyle } from './readPart.ts';
import { readTimestamp } from './timestamp.ts';
import { unreadable } from './unreadable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The expected shape of a version's objects; deviations are noted, not refused. */
export interface ReadStyle {
  readonly parts: PartStyle;
  /** True for a state in the spelling of this version. */
  readonly stateSpelling: (state: string) => boolean;
  readonly userRole: string;
  readonly agentRole: string;
  /** Whether messages have an id (from 0.2 on). Otherwise one is created without a finding. */
  readonly messageIds: boolean;
  /** Whether a task's history ends with the message of its status (0.1): it is in both places and must be shown once. */
  readonly statusInHistory?: true;
  /** Whether timestamps must have a time zone (1.0). */
  readonly zonedTimestamps: boolean;
  /** Whether objects are ProtoJSON of 0.3: parts of messages are called `content`, and members with default values are left out. */
  readonly proto?: true;
}

/** Prefix of ids for messages without one. The id is made from the content, so that a repetition is recognized. */
export const syntheticIdPrefix = 'no-id:';

const fingerprint = (text: string): string => `${fnv1a(text).toString(16).padStart(8, '0')}-${text.length}`;

const messageMembers = new Set([
  'kind',
  'messageId',
  'role',
  'parts',
  'content',
  'contextId',
  'taskId',
  'referenceTaskIds',
  'extensions',
  'metadata',
]);
const messageMembersAndData = new Set([...messageMembers, 'data']);

/** The member with a message's parts: `content` in the protocol buffers of 0.3, `data` in samples of 0.1. */
const partsMember = (message: Fields): string => ['parts', 'content', 'data'].find(name => Array.isArray(message[name])) ?? 'parts';

export function readMessage(value: unknown, pointer: string, note: Note, style: ReadStyle, author?: 'ROLE_AGENT'): Message {
  if (!isObject(value)) throw unreadable('message', pointer);
  const partsAt = partsMember(value);
  const own = style.proto ? 'content' : 'parts';
  if (!Array.isArray(value[own])) note('DATA-01', `${pointer}/${own}`, `${own} is missing.`);
  const parts = readParts(items(value[partsAt]), `${pointer}/${partsAt}`, note, style.parts);
  const made = (): string => syntheticIdPrefix + fingerprint(JSON.stringify([value['role'], value[partsAt]]));
  return withUnknownMembers(value, partsAt === 'data' ? messageMembersAndData : messageMembers, {
    messageId: style.messageIds
      ? requiredString(value, 'messageId', pointer, note, made)
      : optionalString(value, 'messageId', pointer, note) || made(),
    role: readRole(value['role'], pointer, note, style, author),
    parts,
    contextId: optionalString(value, 'contextId', pointer, note) || undefined,
    taskId: optionalString(value, 'taskId', pointer, note) || undefined,
    referenceTaskIds: optionalStrings(value, 'referenceTaskIds'),
    extensions: optionalStrings(value, 'extensions'),
    metadata: optionalObject(value, 'metadata'),
  });
}

function readRole(value: unknown, pointer: string, note: Note, style: ReadStyle, author: 'ROLE_AGENT' | undefined): Message['role'] {
  if (value !== style.userRole && value !== style.agentRole) {
    note('DATA-02', `${pointer}/role`, `role should be ${style.userRole} or ${style.agentRole}, not ${quoted(value)}.`);
  } else if (author !== undefined && value !== style.agentRole) {
    note('DATA-02', `${pointer}/role`, `The role of an agent's message should be ${style.agentRole}, not ${quoted(value)}.`);
  }
  const name = typeof value === 'string' ? value.toUpperCase().replace(/^ROLE_/, '') : value;
  if (name === 'USER' || name === 1) return author ?? 'ROLE_USER';
  return 'ROLE_AGENT';
}

export function noteForeignState(told: unknown, pointer: string, note: Note): void {
  const foreignState = quoted(told);
  note('DATA-02', pointer, `${foreignState} is not a task state.`, { foreignState });
}

const statusMembers = new Set(['state', 'message', 'timestamp']);

export function readStatus(value: unknown, pointer: string, note: Note, style: ReadStyle): TaskStatus {
  if (!isObject(value)) {
    note('DATA-01', pointer, 'status is missing.');
    return { state: 'TASK_STATE_UNSPECIFIED' };
  }
  const raw = value['state'] ?? (style.proto ? 'TASK_STATE_UNSPECIFIED' : undefined);
  const state = readTaskState(raw);
  if (raw === undefined || raw === null) note('DATA-01', `${pointer}/state`, 'state is missing.');
  else if (state === undefined) noteForeignState(raw, `${pointer}/state`, note);
  else if (typeof raw !== 'string' || !style.stateSpelling(raw)) {
    note('DATA-02', `${pointer}/state`, `The state is spelled ${quoted(raw)}, unlike this version spells it.`);
  }
  return withUnknownMembers(value, statusMembers, {
    state: state ?? 'TASK_STATE_UNSPECIFIED',
    message: isObject(value['message']) ? readMessage(value['message'], `${pointer}/message`, note, style) : undefined,
    timestamp: readTimestamp(value['timestamp'], `${pointer}/timestamp`, note, style.zonedTimestamps),
  });
}

const artifactMembers = new Set(['artifactId', 'name', 'description', 'parts', 'metadata', 'extensions']);

export function readArtifact(value: unknown, pointer: string, note: Note, style: ReadStyle): Artifact {
  if (!isObject(value)) throw unreadable('artifact', pointer);
  const name = optionalString(value, 'name', pointer, note);
  return withUnknownMembers(value, artifactMembers, {
    artifactId: requiredString(value, 'artifactId', pointer, note, () => syntheticIdPrefix + (name ?? 'artifact')),
    name,
    description: optionalString(value, 'description', pointer, note),
    parts: readParts(items(value['parts']), `${pointer}/parts`, note, style.parts),
    metadata: optionalObject(value, 'metadata'),
    extensions: optionalStrings(value, 'extensions'),
  });
}

/**
 * Most messages, and most artifacts, of one task. Each is kept and shown by itself: many thousands at once would block the program for
 * seconds and take many times their memory.
 */
const maxInTask = 10_000;

function requireFew({ artifacts, history }: Readonly<Record<string, unknown>>): void {
  if ([artifacts, history].every(list => !Array.isArray(list) || list.length <= maxInTask)) return;
  throw new Problem('too-large', sentence('A task holds more than {0} artifacts or messages, the most that is read at once.', maxInTask), {
    nextStep: sentence('Ask the agent for less at once, or for large content as a file.'),
  });
}

const taskMembers = new Set(['kind', 'id', 'contextId', 'status', 'artifacts', 'history', 'metadata']);

export function readTask(value: unknown, pointer: string, note: Note, style: ReadStyle): Task {
  if (!isObject(value) || (value['id'] === undefined && value['status'] === undefined)) throw unreadable('task', pointer);
  requireFew(value);
  const task: Task = withUnknownMembers(value, taskMembers, {
    id: requiredString(value, 'id', pointer, note, () => `${syntheticIdPrefix}task`),
    contextId: optionalString(value, 'contextId', pointer, note) || undefined,
    status: readStatus(value['status'], `${pointer}/status`, note, style),
    artifacts: Array.isArray(value['artifacts'])
      ? mapObjects(value['artifacts'], `${pointer}/artifacts`, note, (artifact, at) => readArtifact(artifact, at, note, style))
      : undefined,
    history: Array.isArray(value['history']) ? readHistory(value['history'], `${pointer}/history`, note, style) : undefined,
    metadata: optionalObject(value, 'metadata'),
  });
  compareHistory(task, pointer, note, style);
  return task;
}

/** The message of the status must equal the one in the history: the one with its id or, in 0.1 where messages have no ids, the last one. */
function compareHistory({ status: { message }, history = [] }: Task, pointer: string, note: Note, style: ReadStyle): void {
  if (message === undefined || history.length === 0) return;
  const index =
    style.statusInHistory === true ? history.length - 1 : history.findLastIndex(({ messageId }) => messageId === message.messageId);
  const said = history[index];
  if (said === undefined || (said.role === message.role && JSON.stringify(said.parts) === JSON.stringify(message.parts))) return;
  note(
    'DATA-07',
    `${pointer}/history/${index}`,
    style.statusInHistory === true
      ? 'The last message of the history is not the one of the status.'
      : `The message ${quoted(message.messageId)} of the history is not what the status says it is.`,
  );
}

/** Two equal messages without ids in one history are two messages: the second gets an id of its own. */
function readHistory(history: readonly unknown[], pointer: string, note: Note, style: ReadStyle): Message[] {
  const seen = new Map<string, number>();
  return mapObjects(history, pointer, note, (entry, at) => {
    const message = readMessage(entry, at, note, style);
    if (!message.messageId.startsWith(syntheticIdPrefix)) return message;
    const times = (seen.get(message.messageId) ?? 0) + 1;
    seen.set(message.messageId, times);
    return times === 1 ? message : { ...message, messageId: `${message.messageId}#${times}` };
  });
}

const statusUpdateMembers = new Set(['kind', 'taskId', 'contextId', 'status', 'final', 'metadata']);

export function readStatusUpdate(value: unknown, pointer: string, note: Note, style: ReadStyle): TaskStatusUpdateEvent {
  if (!isObject(value)) throw unreadable('status update', pointer);
  return withUnknownMembers(value, statusUpdateMembers, {
    taskId: readTaskId(value, pointer, note),
    contextId: readContextId(value, pointer, note),
    status: readStatus(value['status'], `${pointer}/status`, note, style),
    metadata: optionalObject(value, 'metadata'),
  });
}

const artifactUpdateMembers = new Set(['kind', 'taskId', 'contextId', 'artifact', 'append', 'lastChunk', 'metadata']);

export function readArtifactUpdate(value: unknown, pointer: string, note: Note, style: ReadStyle): TaskArtifactUpdateEvent {
  if (!isObject(value)) throw unreadable('artifact update', pointer);
  return withUnknownMembers(value, artifactUpdateMembers, {
    taskId: readTaskId(value, pointer, note),
    contextId: readContextId(value, pointer, note),
    artifact: readArtifact(value['artifact'], `${pointer}/artifact`, note, style),
    append: optionalBoolean(value, 'append'),
    lastChunk: optionalBoolean(value, 'lastChunk'),
    metadata: optionalObject(value, 'metadata'),
  });
}

/** An event without a task id belongs to the stream's only task. The empty id tells this to code that knows the stream. */
function readTaskId(event: Fields, pointer: string, note: Note): string {
  const taskId = optionalString(event, 'taskId', pointer, note) ?? '';
  if (taskId === '') note('DATA-06', `${pointer}/taskId`, 'taskId is missing.');
  return taskId;
}

function readContextId(event: Fields, pointer: string, note: Note): string | undefined {
  const contextId = optionalString(event, 'contextId', pointer, note) || undefined;
  if (contextId === undefined) note('DATA-06', `${pointer}/contextId`, 'contextId is missing.');
  return contextId;
}
