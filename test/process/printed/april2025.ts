import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { streamOf, written, type Printed } from './printed.ts';

/** The dialogues that were printed with the protocol's first edition, with everything in them that its specification does not have. */

const id = '5b0e9d0a-16f3-4c0b-8f0e-2f1f1c7a9e11';
const sessionId = 'a1c6d7c8-52f5-4b6e-9a5e-0d2f0d3b7c22';
const metadata = {};
const text = (words: string): object => ({ type: 'text', text: words });
const ask = (words: string): object => ({ role: 'user', parts: [text(words)] });
const call = (number: number, method: string, params: object): string => written({ jsonrpc: '2.0', id: number, method, params });
const answer = (number: number, result: object): object => ({ jsonrpc: '2.0', id: number, result });
const completed = { state: 'TASK_STATE_COMPLETED' as TaskState };
const push = { url: 'https://hooks.example/tides', authentication: { schemes: ['jwt'] } };

const corePush = { taskId: id, url: push.url, authentication: { scheme: 'jwt' } };

/** Events of a stream; their tasks have the number 1 for an id. */
const status = (state: string, timestamp: string, final: boolean, taskId: unknown = 1): object => ({
  jsonrpc: '2.0',
  id: 1,
  result: { id: taskId, status: { state, timestamp }, final },
});
const section = (words: string, append: boolean, lastChunk: boolean, taskId: unknown = 1): object => ({
  jsonrpc: '2.0',
  id: 1,
  result: { id: taskId, artifact: { parts: [text(words)], index: 0, append, lastChunk } },
});
/** As the dialogue has it: members where an array was opened, which is not JSON. */
const asPrinted = (event: object): string =>
  JSON.stringify(event)
    .replace('"artifact":{', '"artifact":[')
    .replace(/\}\}\}$/, ']}}');

const fileMessage = (words: string, mimeType: string): object => ({
  role: 'user',
  parts: [text(words), { type: 'file', file: { mimeType, data: 'AAAA' } }],
});

const streamed = {
  status: { ...completed, timestamp: '2025-04-03T09:12:35.331844Z' },
  artifacts: [{ artifactId: 'index-0', parts: [{ text: 'one ' }, { text: 'two ' }, { text: 'three' }] }],
};

export const april2025: Readonly<Record<string, Printed>> = {
  'a task is sent with data in the place of parts': {
    generation: '0.1',
    file: call(1, 'tasks/send', { id, message: { role: 'user', data: [text('When is high water?')] }, metadata }),
    answer: answer(1, {
      id,
      sessionId,
      status: { state: 'completed' },
      artifacts: [{ name: 'tide', parts: [text('At noon.')] }],
      metadata,
    }),
    task: {
      id,
      contextId: sessionId,
      status: completed,
      artifacts: [{ artifactId: 'index-0', name: 'tide', parts: [{ text: 'At noon.' }] }],
      metadata,
    },
  },
  'a task is read with its history': {
    generation: '0.1',
    file: call(1, 'tasks/get', { id, historyLength: 10, metadata }),
    answer: answer(1, {
      id,
      sessionId,
      status: { state: 'completed' },
      artifacts: [{ parts: [text('At noon.')] }],
      history: [ask('When is high water?')],
      metadata,
    }),
    task: {
      id,
      contextId: sessionId,
      status: completed,
      artifacts: [{ artifactId: 'index-0', parts: [{ text: 'At noon.' }] }],
      history: [{ messageId: '', role: 'ROLE_USER', parts: [{ text: 'When is high water?' }] }],
      metadata,
    },
  },
  'a task is cancelled; its id in the answer is a number': {
    generation: '0.1',
    file: call(1, 'tasks/cancel', { id, metadata }),
    answer: answer(1, { id: 1, sessionId, status: { state: 'canceled' }, metadata }),
    task: { id: '1', contextId: sessionId, status: { state: 'TASK_STATE_CANCELED' }, metadata },
    notes: ['DATA-01'],
  },
  'a webhook is set': {
    generation: '0.1',
    file: call(1, 'tasks/pushNotification/set', { id, pushNotificationConfig: push }),
    answer: answer(1, { id, pushNotificationConfig: push }),
    value: { id, pushNotificationConfig: push },
    coreValue: corePush,
  },
  'a webhook is read': {
    generation: '0.1',
    file: call(1, 'tasks/pushNotification/get', { id }),
    answer: answer(1, { id, pushNotificationConfig: push }),
    value: { id, pushNotificationConfig: push },
    coreValue: corePush,
  },
  'a task asks; its message has no role': {
    generation: '0.1',
    file: call(1, 'tasks/send', { id, message: ask('Book a berth.'), metadata }),
    answer: answer(1, { id, sessionId, status: { state: 'input-required', message: { parts: [text('North or south?')] } }, metadata }),
    task: {
      id,
      contextId: sessionId,
      metadata,
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { messageId: '', role: 'ROLE_AGENT', parts: [{ text: 'North or south?' }] } },
    },
    notes: ['DATA-02'],
  },
  'the task is answered': {
    generation: '0.1',
    file: call(2, 'tasks/send', { id, sessionId, message: ask('North'), metadata }),
    answer: answer(2, {
      id: 1,
      sessionId,
      status: { state: 'completed' },
      artifacts: [{ name: 'berth', parts: [text('Berth N7 is yours.')], metadata }],
      metadata,
    }),
    task: {
      id: '1',
      contextId: sessionId,
      status: completed,
      metadata,
      artifacts: [{ artifactId: 'index-0', name: 'berth', parts: [{ text: 'Berth N7 is yours.' }], metadata }],
    },
    notes: ['DATA-01'],
  },
  'a stream is asked for without an envelope': {
    generation: '0.1',
    file: written({
      method: 'tasks/sendSubscribe',
      params: { id, sessionId, message: fileMessage('Describe the chart.', 'image/png'), metadata },
    }),
    answer: streamOf(
      status('working', '2025-04-03T09:12:25.331844', false),
      section('one ', false, false),
      section('two ', true, false),
      section('three', true, true),
      status('completed', '2025-04-03T09:12:35.331844', true),
    ),
    task: { ...streamed, id: '1' },
    notes: ['DATA-01'],
  },
  'its artifacts as they are printed, which is not JSON: what can be read is read': {
    generation: '0.1',
    file: written({
      method: 'tasks/sendSubscribe',
      params: { id, sessionId, message: fileMessage('Describe the chart.', 'image/png'), metadata },
    }),
    answer: {
      stream: [
        JSON.stringify(status('working', '2025-04-03T09:12:25.331844', false)),
        asPrinted(section('one ', false, false)),
        asPrinted(section('two ', true, false)),
        JSON.stringify(status('completed', '2025-04-03T09:12:35.331844', true)),
      ]
        .map(data => `data:${data}\n\n`)
        .join(''),
    },
    task: { id: '1', status: streamed.status },
    notes: ['DATA-01', 'RPC-01'],
  },
  'a client listens again; the last event is of a task by another name': {
    generation: '0.1',
    file: call(1, 'tasks/resubscribe', { id, metadata }),
    answer: streamOf(
      section('two ', true, false, id),
      section('three', true, true, id),
      status('completed', '2025-04-03T09:12:35.331844', true),
    ),
    // Each event is read; what is told of another task goes into none.
    task: {
      id,
      status: { state: 'TASK_STATE_UNSPECIFIED' },
      artifacts: [{ artifactId: 'index-0', parts: [{ text: 'two ' }, { text: 'three' }] }],
    },
    notes: ['DATA-01'],
  },
  'a client listens again, without an envelope: a request of the file, sent with one': {
    generation: '0.1',
    file: written({ method: 'tasks/resubscribe', params: { id, metadata } }),
    sent: JSON.stringify({ jsonrpc: '2.0', method: 'tasks/resubscribe', params: { id } }),
    answer: streamOf(
      section('two ', true, false, id),
      section('three', true, true, id),
      status('completed', '2025-04-03T09:12:35.331844', true, id),
    ),
    before: answer(1, { id, sessionId, status: { state: 'working' } }),
    task: {
      id,
      contextId: sessionId,
      status: streamed.status,
      artifacts: [{ artifactId: 'index-0', parts: [{ text: 'two ' }, { text: 'three' }] }],
    },
  },
  'a file is sent by its data, the task works and says so': {
    generation: '0.1',
    file: call(9, 'tasks/send', { id, sessionId, message: fileMessage('Sum up the log.', 'application/pdf'), metadata }),
    answer: answer(9, {
      id,
      sessionId,
      status: { state: 'working', message: { role: 'agent', parts: [text('Reading it.')], metadata } },
      metadata,
    }),
    task: {
      id,
      contextId: sessionId,
      metadata,
      status: { state: 'TASK_STATE_WORKING', message: { messageId: '', role: 'ROLE_AGENT', parts: [{ text: 'Reading it.' }], metadata } },
    },
  },
  'the task is asked for, and the answer has the id of another request': {
    generation: '0.1',
    file: call(10, 'tasks/get', { id, metadata }),
    answer: answer(9, {
      id,
      sessionId,
      status: { state: 'completed' },
      artifacts: [{ parts: [text('A quiet year.')], metadata }],
      metadata,
    }),
    task: {
      id,
      contextId: sessionId,
      status: completed,
      artifacts: [{ artifactId: 'index-0', parts: [{ text: 'A quiet year.' }], metadata }],
      metadata,
    },
    notes: ['RPC-08'],
  },
  'structured output is asked for by a schema, and is the text of a message': {
    generation: '0.1',
    file: call(9, 'tasks/send', {
      id,
      sessionId,
      metadata,
      message: {
        role: 'user',
        parts: [
          {
            ...text('List the open berths'),
            metadata: {
              mimeType: 'application/json',
              schema: { type: 'array', items: { type: 'object', properties: { berth: { type: 'string' } } } },
            },
          },
        ],
      },
    }),
    answer: answer(9, {
      id,
      sessionId,
      metadata,
      status: { state: 'working', message: { role: 'agent', parts: [text('[{"berth":"N7"},{"berth":"S2"}]')], metadata } },
    }),
    task: {
      id,
      contextId: sessionId,
      metadata,
      status: {
        state: 'TASK_STATE_WORKING',
        message: { messageId: '', role: 'ROLE_AGENT', parts: [{ text: '[{"berth":"N7"},{"berth":"S2"}]' }], metadata },
      },
    },
  },
  'an error': {
    generation: '0.1',
    file: call(1, 'tasks/get', { id }),
    answer: { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'No such task', data: { id } } },
    problem: 'agent-error',
  },
};
