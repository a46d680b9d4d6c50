import { isObject } from '../../json.ts';
import type { Message } from '../../message/message.ts';
import { textOf } from '../../message/part.ts';
import { Problem, sentence } from '../../problem.ts';
import type { SendMessageParams } from '../../message/operations.ts';
import type { StreamResponse } from '../../message/streamResponse.ts';
import type { Task } from '../../message/task.ts';
import type { TaskState } from '../../message/taskState.ts';
import { withoutUndefined } from '../shared/fields.ts';
import { codeSuffix, taskInputOf, taskRestStates } from './readTaskRest.ts';
import { taskOfMessage } from '../v0_1/write0_1.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The word for a state. Rejected becomes failed; states that this API does not have become in progress. */
function stateWord(state: TaskState): string {
  const wanted = state === 'TASK_STATE_REJECTED' ? 'TASK_STATE_FAILED' : state;
  return Object.keys(taskRestStates).find(word => taskRestStates[word] === wanted) ?? 'in_progress';
}

/** The type of a task whose message does not have one. */
const anyType = 'task';
const typeIn = (metadata: Fields | undefined): string => (typeof metadata?.['type'] === 'string' ? metadata['type'] : anyType);

/**
 * The body of `POST /task`. The client assigns the task id: for a new task without one, the message id is used.
 * @throws Problem `no-input` for a message without an object of data.
 */
export function writeTaskRestSend({ message }: SendMessageParams): Fields {
  const data = taskInputOf(message);
  if (data === undefined) {
    throw new Problem('no-input', sentence('The agent expects a data object, but the message has none.'), {
      nextStep: sentence('Write the message as a JSON object.'),
    });
  }
  return { taskId: message.taskId ?? message.messageId, type: typeIn(message.metadata), data };
}

/** The result object of a finished task: the data of its artifacts, else their text; without artifacts, the last message. */
function resultOf({ artifacts = [], status }: Task): Fields | undefined {
  const made = artifacts.flatMap(({ parts }) => parts);
  const parts = made.length > 0 ? made : (status.message?.parts ?? []);
  for (const part of parts) {
    if ('data' in part && isObject(part.data)) return part.data;
  }
  const text = textOf(parts);
  return text === '' ? undefined : { text };
}

function errorOf(message: Message | undefined): Fields | string | undefined {
  const code = message?.metadata?.['code'];
  const text = textOf(message?.parts ?? []);
  if (typeof code === 'string' || typeof code === 'number')
    return { code, message: text.endsWith(codeSuffix(code)) ? text.slice(0, -codeSuffix(code).length) : text };
  return text === '' ? undefined : text;
}

export function writeTaskRestTask(task: Task): Fields {
  const { id, status, metadata } = task;
  const word = stateWord(status.state);
  return withoutUndefined({
    taskId: id,
    type: typeIn(metadata),
    data: isObject(metadata?.['data']) ? metadata['data'] : undefined,
    status: word,
    result: word === 'completed' ? resultOf(task) : undefined,
    error: word === 'failed' ? errorOf(status.message) : undefined,
  });
}

/** One `task_update`: it has only a status and a progress. */
export function writeTaskRestEvent(event: StreamResponse): Fields {
  if ('artifactUpdate' in event) return { event: 'task_update', taskId: event.artifactUpdate.taskId, status: 'in_progress' };
  const whole = 'message' in event ? taskOfMessage(event.message) : 'task' in event ? event.task : undefined;
  const { taskId, status, metadata } = 'statusUpdate' in event ? event.statusUpdate : { ...whole!, taskId: whole!.id };
  const progress = metadata?.['progress'];
  return withoutUndefined({
    event: 'task_update',
    taskId,
    status: stateWord(status.state),
    progress: typeof progress === 'number' ? progress : undefined,
  });
}
