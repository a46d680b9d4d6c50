import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import type { ListTasksResponse, UnaryResults } from '../../message/operations.ts';
import type { Message } from '../../message/message.ts';
import type { StreamResponse } from '../../message/streamResponse.ts';
import type { Task } from '../../message/task.ts';
import { listIn, optionalNumber, optionalString, withoutUndefined } from './fields.ts';
import { readArtifactUpdate, readMessage, readStatusUpdate, readTask, type ReadStyle } from './readTask.ts';
import { noEvent, unexpectedUpdate, unreadable } from './unreadable.ts';
import { listOf, sentence } from '../../problem.ts';

type Fields = Readonly<Record<string, unknown>>;
type Kind = 'task' | 'message' | 'statusUpdate' | 'artifactUpdate';

const readers: { readonly [K in Kind]: (value: unknown, pointer: string, note: Note, style: ReadStyle) => StreamResponse } = {
  task: (value, pointer, note, style) => ({ task: readTask(value, pointer, note, style) }),
  message: (value, pointer, note, style) => ({ message: readMessage(value, pointer, note, style, 'ROLE_AGENT') }),
  statusUpdate: (value, pointer, note, style) => ({ statusUpdate: readStatusUpdate(value, pointer, note, style) }),
  artifactUpdate: (value, pointer, note, style) => ({ artifactUpdate: readArtifactUpdate(value, pointer, note, style) }),
};

/** Members that wrap an answer: those of the specification first, then others that occur (1.0.0's "what's new" page). */
const wrappers: readonly (readonly [member: string, kind: Kind])[] = [
  ['task', 'task'],
  ['message', 'message'],
  ['statusUpdate', 'statusUpdate'],
  ['artifactUpdate', 'artifactUpdate'],
  ['msg', 'message'],
  ['taskStatusUpdate', 'statusUpdate'],
  ['taskArtifactUpdate', 'artifactUpdate'],
];

/** The wrapper around an answer, where it has one. */
export function wrapperOf(value: Fields): { readonly member: string; readonly kind: Kind } | undefined {
  const found = wrappers.find(([member]) => isObject(value[member]));
  return found === undefined ? undefined : { member: found[0], kind: found[1] };
}

/** The events of one that holds several, in the order in which they stand, without those that are empty; otherwise the event alone. */
export function eventsIn(event: unknown, note: Note): readonly unknown[] {
  if (!isObject(event) || 'kind' in event || 'status' in event) return [event];
  const held = Object.entries(event).filter(([name, value]) => Object.hasOwn(readers, name) && isObject(value));
  if (held.length < 2) return [event];
  const names = listOf(held.map(([name]) => name));
  note('CORE-01', '', sentence('The answer should hold exactly one of task, message, statusUpdate, artifactUpdate; it holds {0}.', names));
  const full = held.filter(([, value]) => Object.keys(value as Fields).length > 0);
  return full.length === 0 ? [event] : full.map(([name, value]) => ({ [name]: value }));
}

/** A task, and no update of one, also where the agent forgot its id. */
export const isTaskLike = (event: Fields): boolean => ['id', 'artifacts', 'history'].some(name => name in event);

/** The kind of an unwrapped object, by its shape. */
function bareKind(event: Fields): Kind | undefined {
  if (isObject(event['artifact'])) return 'artifactUpdate';
  if (isObject(event['status'])) return isTaskLike(event) ? 'task' : 'statusUpdate';
  return Array.isArray(event['parts']) || Array.isArray(event['content']) ? 'message' : undefined;
}

/** True for an answer without an envelope to SendMessage, GetTask, CancelTask or ListTasks; no error looks like one. */
export function isResult(answer: unknown): boolean {
  if (!isObject(answer) || 'error' in answer || 'jsonrpc' in answer) return false;
  const wrapper = wrapperOf(answer);
  const content = wrapper === undefined ? answer : answer[wrapper.member];
  return Array.isArray(answer['tasks']) || (isObject(content) && bareKind(content) !== undefined);
}

/**
 * Reads an event in its wrapper (A2A 1.0 §3.2.3). An unwrapped one is read too, with a finding unless `bare` is set, for versions with
 * unwrapped events.
 * @throws Problem `unreadable-answer`
 */
export function readWrapped(event: unknown, note: Note, style: ReadStyle, bare: boolean): StreamResponse {
  if (!isObject(event)) throw noEvent(event);
  const wrapper = wrapperOf(event);
  if (wrapper !== undefined) {
    const { member, kind } = wrapper;
    if (member !== kind) note('CORE-01', `/${member}`, sentence('The member should be called {0}, not {1}.', kind, member));
    return readers[kind](event[member], `/${member}`, note, style);
  }
  const kind = bareKind(event);
  if (kind === undefined) throw noEvent(event);
  if (!bare)
    note(
      'CORE-01',
      '',
      sentence('The answer should hold exactly one of task, message, statusUpdate, artifactUpdate; it is a bare {0}.', kind),
    );
  return readers[kind](event, '', note, style);
}

/**
 * Reads the answer to SendMessage. Where it holds a task and a message, the message is the last one of the agent in the task.
 * @throws Problem `unreadable-answer`
 */
export function readWrappedSend(result: unknown, note: Note, style: ReadStyle, bare: boolean): UnaryResults['SendMessage'] {
  const events = eventsIn(result, note);
  const [answer, other] = events
    .filter(event => events.length === 1 || (isObject(event) && ('task' in event || 'message' in event)))
    .map(event => readWrapped(event, note, style, bare));
  if (answer === undefined || !('task' in answer || 'message' in answer)) throw unexpectedUpdate();
  if (other === undefined) return answer;
  const { task, message } = { ...answer, ...other } as { readonly task: Task; readonly message: Message };
  return { task: { ...task, history: [...(task.history ?? []), message] } };
}

/** Reads a task that should not be wrapped; a wrapped one is read too. */
export function readBareTask(result: unknown, note: Note, style: ReadStyle): Task {
  const wrapped = isObject(result) && isObject(result['task']) && !('status' in result);
  if (wrapped) note('DATA-01', '', sentence('The task should be bare here, not inside a task member.'));
  return readTask(wrapped ? result['task'] : result, wrapped ? '/task' : '', note, style);
}

/**
 * Reads a page of tasks (A2A 1.0 §3.1.4); an array is the only page. Items that are not tasks are noted and left out.
 * @throws Problem `unreadable-answer`
 */
export function readListTasks(result: unknown, note: Note, style: ReadStyle): ListTasksResponse {
  const page: Fields | undefined = Array.isArray(result) ? { tasks: result } : isObject(result) ? result : undefined;
  const list = page && listIn(page, 'tasks');
  if (page === undefined || list === undefined) throw unreadable(sentence('list of tasks'), '');
  if (page !== result) note('DATA-01', '', sentence('The list of tasks should be an object.'));
  else if (list !== page['tasks']) note('DATA-01', '/tasks', sentence('{0} is missing.', 'tasks'));
  const tasks = list.flatMap((task, index) => {
    if (isObject(task) && (task['id'] !== undefined || task['status'] !== undefined)) return readTask(task, `/tasks/${index}`, note, style);
    note('DATA-01', `/tasks/${index}`, sentence('This is not a task.'));
    return [];
  });
  return withoutUndefined({
    tasks,
    nextPageToken: optionalString(page, 'nextPageToken', '', note),
    pageSize: optionalNumber(page, 'pageSize', note),
    totalSize: optionalNumber(page, 'totalSize', note),
  });
}
