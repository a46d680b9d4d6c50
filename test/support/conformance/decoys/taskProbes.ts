import { answering, asking, changed, knows, otherwise, refusing, retelling, type Asked, type ProbeDecoy } from '../probeDecoy.ts';
import { extension } from '../agent/conformingAgent.ts';
import type { Passing } from '../agent/front.ts';
import type { Script } from '../../../../src/mock/script.ts';
import { textOf } from '../../../../src/protocol/message/part.ts';
import { versionOf } from '../../../../src/protocol/versions/index.ts';
import type { Message } from '../../../../src/protocol/message/message.ts';
import type { Task } from '../../../../src/protocol/message/task.ts';

const web = ['JSONRPC', 'HTTP+JSON'] as const;
const sends = ({ method, url, body }: Passing): boolean =>
  method === 'POST' && (/message:send$/.test(url) || /"method":"(?:SendMessage|message\/send)"/.test(body));
const said: Message = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'said' }] };
const isOver = async (right: Script, request: Asked, id: string | undefined): Promise<boolean> =>
  id !== undefined && (await knows(right, request, id)) && (request.params as { message?: Message }).message?.contextId !== undefined;

const noWord = changed('GetTask', step => ('error' in step ? { error: { code: -32004, message: 'No' } } : step));

/** A message without the member. */
const bare = (message: Message, ...names: readonly (keyof Message)[]): Message =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name as keyof Message))) as unknown as Message;

/** Agents that break one rule of how they work on tasks. */
export const taskProbeDecoys: readonly ProbeDecoy[] = [
  {
    rule: 'CORE-01',
    breaks: 'answers with a task and a message',
    versions: ['1.0'],
    bindings: web,
    before: retelling(sends, json => {
      const result = json.result ?? json;
      if (result.task !== undefined) result.message = { ...said, contextId: result.task.contextId };
      return json;
    }),
  },
  {
    rule: 'CORE-02',
    breaks: 'takes messages to tasks that are over',
    script: right =>
      otherwise('SendMessage', async function* (request, does) {
        const { message } = request.params;
        const again = message.contextId !== undefined && (await isOver(right, request, message.taskId)) && textOf(message.parts) === 'x';
        let steps = 0;
        if (again) {
          // A mismatch is refused as ever; a task that is over is worked on once more.
          for await (const step of does(request)) {
            if ('error' in step && step.error.code === -32004) break;
            yield step;
            steps++;
          }
          if (steps > 0) return;
          for await (const step of does({ ...request, params: { ...request.params, message: bare(message, 'taskId') } })) yield step;
          return;
        }
        yield* does(request);
      })(right),
  },
  {
    rule: 'CORE-03',
    breaks: 'begins a task where it does not know the one that is named',
    script: right =>
      otherwise('SendMessage', async function* (request, does) {
        const { message } = request.params;
        const isUnknown = message.taskId !== undefined && !(await knows(right, request, message.taskId));
        yield* does(isUnknown ? { ...request, params: { ...request.params, message: bare(message, 'taskId') } } : request);
      })(right),
  },
  {
    rule: 'CORE-04',
    breaks: 'gives an id twice',
    script: right => {
      const ids: string[] = [];
      return answering('SendMessage', (answer, { message, configuration }) => {
        // Without a configuration a message asks about extensions, and nothing is asked about its task.
        if (answer.task === undefined || textOf(message.parts) !== 'task' || configuration === undefined) return answer;
        ids.push(answer.task.id);
        return ids.length === 2 ? { task: { ...answer.task, id: ids[0] } } : answer;
      })(right);
    },
  },
  {
    rule: 'CORE-05',
    breaks: 'keeps the id of the context to itself',
    versions: ['1.0'],
    script: answering('SendMessage', (answer, { message }) =>
      answer.task === undefined || message.contextId !== undefined ? answer : { task: { ...answer.task, contextId: undefined } },
    ),
  },
  {
    rule: 'CORE-06',
    breaks: 'makes a context where the task has one',
    script: answering('SendMessage', (answer, { message }) =>
      answer.task === undefined || message.taskId === undefined || message.contextId !== undefined
        ? answer
        : { task: { ...answer.task, contextId: 'another' } },
    ),
  },
  {
    rule: 'CORE-07',
    breaks: 'takes any context with a task',
    script: otherwise('SendMessage', async function* ({ params, ...request }, does) {
      const { taskId, contextId } = params.message;
      if (taskId === undefined || contextId === undefined) return yield* does({ ...request, params });
      for await (const step of does({ ...request, params: { ...params, message: bare(params.message, 'contextId') } }))
        yield 'answer' in step ? { answer: { task: { ...(step.answer as { readonly task: Task }).task, contextId } } } : step;
    }),
  },
  {
    rule: 'CORE-08',
    breaks: 'replaces the context',
    script: asking('SendMessage', params => ({
      ...params,
      message: params.message.taskId === undefined ? bare(params.message, 'contextId') : params.message,
    })),
  },
  {
    rule: 'CORE-09',
    breaks: 'does not wait',
    versions: ['1.0'],
    verdict: 'disputed',
    script: answering('SendMessage', (answer, { message, configuration }) =>
      answer.task === undefined || configuration?.returnImmediately === true || textOf(message.parts) !== 'task'
        ? answer
        : { task: { ...answer.task, status: { ...answer.task.status, state: 'TASK_STATE_WORKING' } } },
    ),
  },
  {
    rule: 'CORE-09',
    breaks: 'does not wait',
    versions: ['0.3'],
    script: answering('SendMessage', (answer, { message, configuration }) =>
      answer.task === undefined || configuration?.returnImmediately === true || textOf(message.parts) !== 'task'
        ? answer
        : { task: { ...answer.task, status: { ...answer.task.status, state: 'TASK_STATE_WORKING' } } },
    ),
  },
  {
    rule: 'CORE-10',
    breaks: 'waits although it should not',
    script: asking('SendMessage', ({ configuration, ...params }) => ({
      ...params,
      ...(configuration !== undefined && { configuration: { ...configuration, returnImmediately: false } }),
    })),
  },
  { rule: 'CORE-11', breaks: 'has no word for unknown tasks', versions: ['1.0'], script: noWord },
  { rule: 'CORE-11', breaks: 'has no word for unknown tasks', versions: ['0.3'], bindings: web, script: noWord },
  {
    rule: 'CORE-12',
    breaks: 'forgets its tasks',
    script: otherwise('GetTask', () => [{ error: { code: -32001, message: 'Task not found' } }]),
  },
  {
    rule: 'CORE-12',
    breaks: 'goes on with what is over',
    script: answering('GetTask', task =>
      task.status.state === 'TASK_STATE_COMPLETED' ? { ...task, status: { ...task.status, state: 'TASK_STATE_WORKING' } } : task,
    ),
  },
  {
    rule: 'CORE-12',
    breaks: 'does not keep artifacts',
    script: answering('GetTask', ({ artifacts: _left, ...task }) => task),
  },
  {
    rule: 'CORE-12',
    breaks: 'keeps no artifacts but an empty list',
    bindings: web,
    script: answering('GetTask', task => ({ ...task, artifacts: [] })),
  },
  {
    rule: 'CORE-13',
    breaks: 'gives more history than was asked for',
    script: answering('GetTask', (task, { historyLength }) =>
      historyLength === 1 ? { ...task, history: [said, { ...said, messageId: 'm-2' }, { ...said, messageId: 'm-3' }] } : task,
    ),
  },
  {
    rule: 'CORE-13',
    breaks: 'does not look at historyLength',
    versions: ['1.0'],
    also: ['CORE-14'],
    script: asking('GetTask', params => ({ id: params.id })),
  },
  {
    rule: 'CORE-13',
    breaks: 'lists more history than was asked for',
    versions: ['1.0'],
    script: asking('ListTasks', params => ({ ...params, historyLength: params.historyLength === 1 ? 9 : params.historyLength })),
  },
  {
    rule: 'CORE-13',
    breaks: 'answers a send with more history than was asked for',
    script: asking('SendMessage', ({ configuration, ...params }) => ({
      ...params,
      configuration: { ...configuration, historyLength: configuration?.historyLength === 1 ? 9 : configuration?.historyLength },
    })),
  },
  {
    rule: 'CORE-13',
    breaks: 'cuts the newest messages off',
    script: otherwise('GetTask', async function* ({ params: { id, historyLength }, ...request }, does) {
      for await (const step of does({ ...request, params: { id } })) {
        const task = 'answer' in step ? (step.answer as Task) : undefined;
        if (task?.history === undefined || historyLength === undefined) yield step;
        else yield { answer: { ...task, history: historyLength === 0 ? undefined : task.history.slice(0, historyLength) } as never };
      }
    }),
  },
  {
    rule: 'CORE-14',
    breaks: 'gives an empty history where none was asked for',
    versions: ['1.0'],
    bindings: web,
    script: answering('GetTask', (task, { historyLength }) => (historyLength === 0 ? { ...task, history: [] } : task)),
  },
  {
    rule: 'CORE-14',
    breaks: 'lists history where none was asked for',
    script: asking('ListTasks', params => ({ ...params, historyLength: params.historyLength === 0 ? 9 : params.historyLength })),
  },
  {
    rule: 'CORE-14',
    breaks: 'gives history where none was asked for',
    script: answering('GetTask', (task, { historyLength }) => (historyLength === 0 ? { ...task, history: [said] } : task)),
  },
  {
    rule: 'CORE-14',
    breaks: 'answers a send with history where none was asked for',
    script: answering('SendMessage', (answer, { configuration }) =>
      answer.task === undefined || configuration?.historyLength !== 0 ? answer : { task: { ...answer.task, history: [said] } },
    ),
  },
  {
    rule: 'CORE-15',
    breaks: 'cancels what is over',
    script: right =>
      otherwise('CancelTask', async function* (request, does) {
        for await (const step of does(request)) {
          if ('error' in step && step.error.code === -32002)
            yield* (right.GetTask as never as (asked: object) => AsyncIterable<never>)(request);
          else yield step;
        }
      })(right),
  },
  {
    rule: 'CORE-15',
    breaks: 'goes on with what it canceled',
    script: answering('GetTask', task =>
      task.status.state === 'TASK_STATE_CANCELED' ? { ...task, status: { ...task.status, state: 'TASK_STATE_WORKING' } } : task,
    ),
  },
  {
    rule: 'CORE-16',
    breaks: 'takes a request without a message',
    bindings: web,
    before:
      (right, { version, binding }) =>
      (request, pass) => {
        if (!sends(request)) return right(request, pass);
        const json = JSON.parse(request.body) as { params?: Record<string, unknown> } & Record<string, unknown>;
        const params = json.params ?? json;
        if ('message' in params || 'request' in params) return right(request, pass);
        const form = versionOf(version)!;
        const own = binding === 'JSONRPC' ? form : (form.protoForm ?? form);
        Object.assign(params, own.writeParams('SendMessage', { message: { ...said, role: 'ROLE_USER', parts: [{ text: 'task' }] } }));
        return right(request, () => pass({ body: JSON.stringify(json) }));
      },
  },
  {
    rule: 'CORE-17',
    breaks: 'takes every media type',
    script: asking('SendMessage', params => ({
      ...params,
      message: { ...params.message, parts: params.message.parts.map(({ mediaType: _left, ...part }) => part as Message['parts'][number]) },
    })),
  },
  {
    rule: 'CORE-19',
    breaks: 'answers with another task',
    script: answering('GetTask', task => ({ ...task, id: `${task.id}-other` })),
    also: ['CORE-12'],
  },
  { rule: 'CORE-18', breaks: 'does not cancel', script: refusing('CancelTask', -32601) },
  { rule: 'CORE-18', breaks: 'does not list', versions: ['1.0'], script: refusing('ListTasks', -32601) },
  { rule: 'CORE-18', breaks: 'takes no messages', versions: ['1.0'], script: refusing('SendMessage', -32601) },
  {
    rule: 'EXT-01',
    breaks: 'does without an extension that it requires',
    script: otherwise('SendMessage', (request, right) =>
      right({ ...request, headers: { 'a2a-extensions': extension, ...request.headers } }),
    ),
  },
  {
    rule: 'EXT-02',
    breaks: 'does not say which extensions are active',
    script: changed('SendMessage', step => ('status' in step ? undefined : step)),
  },
  {
    rule: 'TASK-AUTH-01',
    breaks: 'waits for authorization without a word',
    script: answering('SendMessage', answer =>
      answer.task?.status.state === 'TASK_STATE_AUTH_REQUIRED'
        ? { task: { ...answer.task, status: { state: answer.task.status.state, timestamp: answer.task.status.timestamp } } }
        : answer,
    ),
  },
];
