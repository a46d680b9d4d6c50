import { written, type Printed } from './printed.ts';

/** An article of April 2025 with an API of its own for tasks. */

const taskId = 'berth-007';
const type = 'mooring';
const data = { length: 12, flag: 'FI' };
const post = written({ taskId, type, data });
const metadata = { type };

export const taskApi: Readonly<Record<string, Printed>> = {
  'a task is posted, and answered as just made': {
    generation: 'task-rest',
    file: post,
    answer: { taskId, type, data, status: 'created' },
    task: { id: taskId, status: { state: 'TASK_STATE_SUBMITTED' }, metadata: { ...metadata, data } },
  },
  'a finished task with its result': {
    generation: 'task-rest',
    file: post,
    answer: { taskId, type, status: 'completed', result: { status: 'approved', message: 'Berth N7 for 12 m' } },
    task: {
      id: taskId,
      status: { state: 'TASK_STATE_COMPLETED' },
      metadata,
      artifacts: [{ artifactId: 'result', parts: [{ data: { status: 'approved', message: 'Berth N7 for 12 m' } }] }],
    },
  },
  'a failed task with a code': {
    generation: 'task-rest',
    file: post,
    answer: { taskId, type, status: 'failed', error: { code: 'INVALID_INPUT', message: 'Length must be positive' } },
    task: {
      id: taskId,
      metadata,
      status: {
        state: 'TASK_STATE_FAILED',
        message: {
          messageId: '',
          role: 'ROLE_AGENT',
          parts: [{ text: 'Length must be positive (INVALID_INPUT)' }],
          metadata: { code: 'INVALID_INPUT' },
        },
      },
    },
  },
  'a failed task without a name, its error a text': {
    generation: 'task-rest',
    file: post,
    answer: { status: 'failed', error: 'Invalid task type' },
    task: {
      id: '',
      status: { state: 'TASK_STATE_FAILED', message: { messageId: '', role: 'ROLE_AGENT', parts: [{ text: 'Invalid task type' }] } },
    },
    notes: ['DATA-01'],
  },
  'a finished task without a name': {
    generation: 'task-rest',
    file: post,
    answer: { status: 'completed', result: { status: 'approved', message: 'Berth N7' } },
    task: {
      id: '',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'result', parts: [{ data: { status: 'approved', message: 'Berth N7' } }] }],
    },
    notes: ['DATA-01'],
  },
};
