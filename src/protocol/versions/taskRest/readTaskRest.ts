import { isNumber } from '../../exactNumber.ts';
import { exactJson } from '../../json/exactJson.ts';
import { isShallow } from '../../json/depth.ts';
import { holdsMany } from '../../json/valueCount.ts';
import { fnv1a } from '../../fnv1a.ts';
import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import type { Message } from '../../message/message.ts';
import { textOf } from '../../message/part.ts';
import { quoted } from '../../quoted.ts';
import type { StreamResponse } from '../../message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../message/task.ts';
import { readTaskState, type TaskState } from '../../message/taskState.ts';
import { withUnknownMembers, optionalObject, optionalString, withoutUndefined } from '../shared/fields.ts';
import { noteForeignState, syntheticIdPrefix } from '../shared/readTask.ts';
import { noEvent, unreadable } from '../shared/unreadable.ts';
import { sentence } from '../../problem.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Task states by the words of this API. */
export const taskRestStates: Readonly<Record<string, TaskState>> = {
  created: 'TASK_STATE_SUBMITTED',
  in_progress: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
};

/** Id of the one artifact, made from `result`. */
const resultId = 'result';

/** Splits the words of a state in any spelling: `inProgress`, `In Progress`, `IN-PROGRESS`. */
const plainWord = (word: string): string =>
  word
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();

function readState(value: unknown, note: Note): TaskState {
  const own = (word: string): TaskState | undefined => (Object.hasOwn(taskRestStates, word) ? taskRestStates[word] : undefined);
  const exact = typeof value === 'string' ? own(value) : undefined;
  if (exact !== undefined) return exact;
  if (isObject(value) && 'state' in value) {
    note('DATA-02', '/status', sentence('status should be a word, not an object.'));
    // The object is one finding; an unknown state in it is another.
    return readState(value['state'], (rule, pointer, message, more) => {
      if (more !== undefined) note(rule, pointer, message, more);
    });
  }
  const state = typeof value === 'string' ? (own(plainWord(value.slice(0, 40))) ?? readTaskState(value)) : readTaskState(value);
  if (state === undefined) noteForeignState(value, '/status', note);
  else note('DATA-02', '/status', sentence('The state {0} is not spelled as in this API.', quoted(value)));
  return state ?? 'TASK_STATE_UNSPECIFIED';
}

const errorMembers = new Set(['code', 'message']);

/** The error message with its code: the author of the agent can do more with both. */
const withCode = (message: string, code: string | number | undefined): string =>
  typeof code !== 'string' || message.includes(code) ? message : message + codeSuffix(code);

export const codeSuffix = (code: string | number): string => ` (${code})`;

/** An error (an object with a code, or a text) as a message of the agent. The code is appended to the text and is also in the metadata. */
function readError(error: unknown): Message | undefined {
  if (error === undefined || error === null || error === '') return undefined;
  const { code, message } = isObject(error) ? error : { code: undefined, message: error };
  const coded = typeof code === 'string' ? code : isNumber(code) ? Number(code) : undefined;
  const text =
    typeof message === 'string' && message !== '' ? withCode(message, coded) : coded === undefined ? quoted(error, 2048) : String(coded);
  return withUnknownMembers(isObject(error) ? error : {}, errorMembers, {
    messageId: `${syntheticIdPrefix}${fnv1a(JSON.stringify([coded, text])).toString(16)}`,
    role: 'ROLE_AGENT' as const,
    parts: [{ text }],
    metadata: coded === undefined ? undefined : { code: coded },
  });
}

const readStatus = (from: Fields, note: Note): TaskStatus =>
  withoutUndefined({ state: readState(from['status'], note), message: readError(from['error']) });

/** The `result` as an artifact: an object as data, a text as text. */
const readResult = (result: unknown): Artifact => ({
  artifactId: resultId,
  parts: [typeof result === 'string' ? { text: result } : { data: result }],
});

const saysResult = ({ result }: Fields): boolean => result !== undefined && result !== null;

/** Empty where it is missing: the caller knows which task was requested. */
function readTaskId(from: Fields, note: Note): string {
  const id = optionalString(from, 'taskId', '', note) || undefined;
  if (id === undefined) note('DATA-01', '/taskId', sentence('{0} is missing.', 'taskId'));
  return id ?? optionalString(from, 'id', '', note) ?? '';
}

const progressOf = ({ progress }: Fields): number | undefined => (isNumber(progress) ? Number(progress) : undefined);

function someMembers(members: Fields): Fields | undefined {
  const some = withoutUndefined(members);
  return Object.keys(some).length === 0 ? undefined : some;
}

const taskMembers = new Set(['taskId', 'id', 'type', 'data', 'status', 'result', 'error', 'progress', 'metadata', 'event']);

/**
 * A task object. What core has no members for (`type`, `data`, `progress`) goes into its metadata.
 * @throws Problem `unreadable-answer`
 */
export function readTaskRestTask(value: unknown, note: Note): Task {
  const task = isObject(value) && isObject(value['task']) && !('status' in value) ? value['task'] : value;
  if (task !== value) note('DATA-01', '', sentence('The task should be bare, not inside a member.'));
  if (!isObject(task) || !('status' in task || 'taskId' in task)) throw unreadable(sentence('task'), '');
  return withUnknownMembers(task, taskMembers, {
    id: readTaskId(task, note),
    status: readStatus(task, note),
    artifacts: saysResult(task) ? [readResult(task['result'])] : undefined,
    metadata: someMembers({
      ...optionalObject(task, 'metadata'),
      type: optionalString(task, 'type', '', note),
      data: task['data'] ?? undefined,
      progress: progressOf(task),
    }),
  });
}

const updateMembers = new Set(['event', 'taskId', 'status', 'error', 'progress', 'metadata']);

/**
 * A `task_update`. Its `progress` goes into the metadata of the status update. One with a result besides its status is read as a whole
 * task.
 * @throws Problem `unreadable-answer`
 */
export function readTaskRestEvent(value: unknown, note: Note): StreamResponse {
  if (!isObject(value) || !['status', 'result', 'progress', 'error'].some(name => name in value)) throw noEvent(value);
  if (value['event'] !== 'task_update')
    note('DATA-01', '/event', sentence('{0} should be {1}, not {2}.', 'event', '"task_update"', quoted(value['event'], 60)));
  if (saysResult(value) && 'status' in value) return { task: readTaskRestTask(value, note) };
  if (saysResult(value))
    return { artifactUpdate: { taskId: readTaskId(value, note), artifact: readResult(value['result']), lastChunk: true } };
  return {
    statusUpdate: withUnknownMembers(value, updateMembers, {
      taskId: readTaskId(value, note),
      status: readStatus('status' in value ? value : { ...value, status: 'error' in value ? 'failed' : 'in_progress' }, note),
      metadata: someMembers({ ...optionalObject(value, 'metadata'), progress: progressOf(value) }),
    }),
  };
}

/** True for an answer that is a task object, whatever the HTTP status: a failed task has an `error` and is still an answer. */
export const isTaskRestTask = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['status'] === 'string' &&
  ('taskId' in value || readState(value['status'], () => {}) !== 'TASK_STATE_UNSPECIFIED');

/** The input of a task in a message: its first data part that is an object, else its text where that is the JSON of an object. */
export function taskInputOf({ parts }: Pick<Message, 'parts'>): Fields | undefined {
  for (const part of parts) {
    if ('data' in part && isObject(part.data)) return part.data;
  }
  const text = textOf(parts);
  if (holdsMany(text)) return undefined;
  try {
    const parsed = exactJson(text);
    return isObject(parsed) && isShallow(parsed) ? parsed : undefined;
  } catch {
    // Any other text cannot be the input; the caller reports that.
    return undefined;
  }
}
