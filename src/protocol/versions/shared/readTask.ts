import { fnv1a } from '../../fnv1a.ts';
import { isObject } from '../../json.ts';
import { ignoreFindings, type Note } from '../../finding.ts';
import type { Message } from '../../message/message.ts';
import type { Part } from '../../message/part.ts';
import { Problem, sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../../message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../message/task.ts';
import { readTaskState, taskStates } from '../../message/taskState.ts';
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
  /** True if messages have an id (from 0.2 on). Otherwise one is created without a finding. */
  readonly messageIds: boolean;
  /** True if a task's history ends with the message of its status (0.1): it is in both places and must be shown once. */
  readonly statusInHistory?: true;
  /** True if artifacts have an index instead of an id (0.1). */
  readonly artifactIndex?: true;
  /** True if timestamps must have a time zone (1.0). */
  readonly zonedTimestamps: boolean;
  /** True if objects are ProtoJSON of 0.3: parts of messages are called `content`, and members with default values are left out. */
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

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** The member with a message's parts: `content` in the protocol buffers of 0.3, `data` in samples of 0.1. */
const partsMember = (message: Fields): string =>
  ['parts', 'content', 'data'].find(name => Array.isArray(message[name])) ??
  ['parts', 'content'].find(name => !isMissing(message[name])) ??
  'parts';

/** The parts in that member. A value that stands there instead of a list is read as the only part. */
function readPartsIn(holder: Fields, member: string, pointer: string, note: Note, style: ReadStyle): Part[] {
  const value = holder[member];
  const at = `${pointer}/${member}`;
  if (Array.isArray(value) || isMissing(value)) return readParts(items(value), at, note, style.parts);
  note('DATA-01', at, sentence('{0} should be a list, not {1}.', member, quoted(value)));
  return readParts([value], at, ignoreFindings, style.parts);
}

export function readMessage(value: unknown, pointer: string, note: Note, style: ReadStyle, author?: 'ROLE_AGENT'): Message {
  if (!isObject(value)) throw unreadable(sentence('message'), pointer);
  const partsAt = partsMember(value);
  const own = style.proto ? 'content' : 'parts';
  if (partsAt === own ? isMissing(value[own]) : !Array.isArray(value[own]))
    note('DATA-01', `${pointer}/${own}`, sentence('{0} is missing.', own));
  const parts = readPartsIn(value, partsAt, pointer, note, style);
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
    note('DATA-02', `${pointer}/role`, sentence('role should be {0} or {1}, not {2}.', style.userRole, style.agentRole, quoted(value)));
  } else if (author !== undefined && value !== style.agentRole) noteUserRole(value, pointer, note, style);
  const name = typeof value === 'string' ? value.toUpperCase().replace(/^ROLE_/, '') : value;
  if (name === 'USER' || name === 1) return author ?? 'ROLE_USER';
  return 'ROLE_AGENT';
}

const noteUserRole = (value: unknown, pointer: string, note: Note, { agentRole }: ReadStyle): void =>
  note('DATA-02', `${pointer}/role`, sentence("The role of an agent's message should be {0}, not {1}.", agentRole, quoted(value)));

export function noteForeignState(told: unknown, pointer: string, note: Note): void {
  const foreignState = quoted(told);
  note('DATA-02', pointer, sentence('{0} is not a task state.', foreignState), { foreignState });
}

/** Message of a status; any other value in its place is read as its content. */
function readStatusMessage(value: unknown, pointer: string, note: Note, style: ReadStyle): Message {
  if (isObject(value)) {
    // The role stays: some agents repeat the user's message there.
    if (value['role'] === style.userRole) noteUserRole(value['role'], pointer, note, style);
    return readMessage(value, pointer, note, style);
  }
  note('DATA-01', pointer, sentence('{0} should be an object, not {1}.', 'message', quoted(value)));
  return readMessage({ parts: value }, pointer, ignoreFindings, style);
}

const statusMembers = new Set(['state', 'message', 'timestamp']);

export function readStatus(value: unknown, pointer: string, note: Note, style: ReadStyle): TaskStatus {
  if (!isObject(value)) {
    note(
      'DATA-01',
      pointer,
      isMissing(value) ? sentence('{0} is missing.', 'status') : sentence('{0} should be an object, not {1}.', 'status', quoted(value)),
    );
    return { state: readTaskState(value) ?? 'TASK_STATE_UNSPECIFIED' };
  }
  const raw = value['state'] ?? (style.proto ? 'TASK_STATE_UNSPECIFIED' : undefined);
  const state = readTaskState(raw);
  if (isMissing(raw)) note('DATA-01', `${pointer}/state`, sentence('{0} is missing.', 'state'));
  else if (state === undefined) noteForeignState(raw, `${pointer}/state`, note);
  else if (typeof raw !== 'string' || !style.stateSpelling(raw)) {
    const spelling = [state, taskStates[state].label, state.replace('CANCELED', 'CANCELLED')].find(style.stateSpelling) ?? state;
    note('DATA-02', `${pointer}/state`, sentence('{0} should be {1}, not {2}.', 'state', quoted(spelling), quoted(raw)));
  }
  return withUnknownMembers(value, statusMembers, {
    state: state ?? 'TASK_STATE_UNSPECIFIED',
    message: isMissing(value['message']) ? undefined : readStatusMessage(value['message'], `${pointer}/message`, note, style),
    timestamp: readTimestamp(value['timestamp'], `${pointer}/timestamp`, note, style.zonedTimestamps),
  });
}

const artifactMembers = new Set(['artifactId', 'name', 'description', 'parts', 'metadata', 'extensions']);

export function readArtifact(value: unknown, pointer: string, note: Note, style: ReadStyle): Artifact {
  if (!isObject(value)) throw unreadable(sentence('artifact'), pointer);
  const name = optionalString(value, 'name', pointer, note);
  return withUnknownMembers(value, artifactMembers, {
    artifactId: requiredString(value, 'artifactId', pointer, note, () => syntheticIdPrefix + (name ?? 'artifact')),
    name,
    description: optionalString(value, 'description', pointer, note),
    parts: readPartsIn(value, 'parts', pointer, note, style),
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
  throw new Problem('too-large', sentence('A task exceeds the limit of {0} artifacts or messages.', maxInTask), {
    nextStep: sentence('Ask the agent for less at once, or for large content as a file.'),
  });
}

const taskMembers = new Set(['kind', 'id', 'contextId', 'status', 'artifacts', 'history', 'metadata']);

export function readTask(value: unknown, pointer: string, note: Note, style: ReadStyle): Task {
  if (!isObject(value) || (value['id'] === undefined && value['status'] === undefined)) throw unreadable(sentence('task'), pointer);
  requireFew(value);
  const task: Task = withUnknownMembers(value, taskMembers, {
    id: requiredString(value, 'id', pointer, note, () => `${syntheticIdPrefix}task`),
    contextId: optionalString(value, 'contextId', pointer, note) || undefined,
    status: readStatus(value['status'], `${pointer}/status`, note, style),
    artifacts: Array.isArray(value['artifacts']) ? readArtifacts(value['artifacts'], `${pointer}/artifacts`, note, style) : undefined,
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
      ? sentence('The last message of the history is not the message of the status.')
      : sentence('Message {0} of the history is not the one in the status.', quoted(message.messageId)),
  );
}

/** The id, or one made of it where another in the list has it. `taken`: how often each id of the list was there so far. */
function distinctId(id: string, taken: Map<string, number>): string {
  let times = taken.get(id) ?? 1;
  let own = id;
  while (taken.has(own)) own = `${id}#${++times}`;
  taken.set(id, times).set(own, 1);
  return own;
}

/** Two equal messages without ids in one history are two messages: the second gets an id of its own. */
function readHistory(history: readonly unknown[], pointer: string, note: Note, style: ReadStyle): Message[] {
  const taken = new Map<string, number>();
  return mapObjects(history, pointer, note, (entry, at) => {
    const message = readMessage(entry, at, note, style);
    if (!message.messageId.startsWith(syntheticIdPrefix)) return message;
    return { ...message, messageId: distinctId(message.messageId, taken) };
  });
}

/** Two artifacts of one id in a task are two artifacts, whatever the id: the second gets one of its own. */
function readArtifacts(artifacts: readonly unknown[], pointer: string, note: Note, style: ReadStyle): Artifact[] {
  const taken = new Map<string, number>();
  return mapObjects(artifacts, pointer, note, (entry, at) => {
    const artifact = readArtifact(entry, at, note, style);
    const artifactId = distinctId(artifact.artifactId, taken);
    if (artifactId !== artifact.artifactId && !artifact.artifactId.startsWith(syntheticIdPrefix)) {
      if (style.artifactIndex === true) note('DATA-01', `${at}/index`, sentence('Another artifact of the task also has this index.'));
      else note('DATA-01', `${at}/artifactId`, sentence('Another artifact of the task also has this artifactId.'));
    }
    return { ...artifact, artifactId };
  });
}

const statusUpdateMembers = new Set(['kind', 'taskId', 'contextId', 'status', 'final', 'metadata']);

export function readStatusUpdate(value: unknown, pointer: string, note: Note, style: ReadStyle): TaskStatusUpdateEvent {
  if (!isObject(value)) throw unreadable(sentence('status update'), pointer);
  return withUnknownMembers(value, statusUpdateMembers, {
    taskId: readTaskId(value, pointer, note),
    contextId: readContextId(value, pointer, note),
    status: readStatus(value['status'], `${pointer}/status`, note, style),
    metadata: optionalObject(value, 'metadata'),
  });
}

const artifactUpdateMembers = new Set(['kind', 'taskId', 'contextId', 'artifact', 'append', 'lastChunk', 'metadata']);

export function readArtifactUpdate(value: unknown, pointer: string, note: Note, style: ReadStyle): TaskArtifactUpdateEvent {
  if (!isObject(value)) throw unreadable(sentence('artifact update'), pointer);
  return withUnknownMembers(value, artifactUpdateMembers, {
    taskId: readTaskId(value, pointer, note),
    contextId: readContextId(value, pointer, note),
    artifact: readArtifact(value['artifact'], `${pointer}/artifact`, note, style),
    append: optionalBoolean(value, 'append'),
    lastChunk: optionalBoolean(value, 'lastChunk'),
    metadata: optionalObject(value, 'metadata'),
  });
}

/** An event without a task id belongs to the stream's only task. The empty id marks this for code with access to the stream. */
function readTaskId(event: Fields, pointer: string, note: Note): string {
  const taskId = optionalString(event, 'taskId', pointer, note) ?? '';
  if (taskId === '') note('DATA-06', `${pointer}/taskId`, sentence('{0} is missing.', 'taskId'));
  return taskId;
}

function readContextId(event: Fields, pointer: string, note: Note): string | undefined {
  const contextId = optionalString(event, 'contextId', pointer, note) || undefined;
  if (contextId === undefined) note('DATA-06', `${pointer}/contextId`, sentence('{0} is missing.', 'contextId'));
  return contextId;
}
