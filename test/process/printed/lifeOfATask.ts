import type { Task } from '../../../src/protocol/message/task.ts';
import { written, type Printed } from './printed.ts';

/** The document about the life of a task, in its edition of 0.2 and in the one of the drafts of 1.0. */

const bytes = 'iVBORw0KGgo=';

const kindTask = (id: string, contextId: string, artifactId: string, description: string): object => ({
  id,
  contextId,
  status: { state: 'completed' },
  artifacts: [
    { artifactId, name: 'quay.png', description, parts: [{ kind: 'file', file: { name: 'quay.png', mimeType: 'image/png', bytes } }] },
  ],
  kind: 'task',
});

const draftTask = (id: string, contextId: string, artifactId: string, description: string): object => ({
  id,
  contextId,
  status: { state: 'completed' },
  artifacts: [
    { artifactId, name: 'quay.png', description, parts: [{ file: { name: 'quay.png', mediaType: 'image/png', fileWithBytes: bytes } }] },
  ],
});

const read = (id: string, contextId: string, artifactId: string, description: string): Task => ({
  id,
  contextId,
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId, name: 'quay.png', description, parts: [{ raw: bytes, mediaType: 'image/png', filename: 'quay.png' }] }],
});

const first = ['task-quay-1', 'ctx-quay', 'artifact-quay-1', 'A quay at dawn.'] as const;
const second = ['task-quay-2', 'ctx-quay', 'artifact-quay-2', 'The same quay in fog.'] as const;

export const lifeOfATask0_2: Readonly<Record<string, Printed>> = {
  'a first message, its answer a finished task': {
    generation: '0.2',
    file: written({
      jsonrpc: '2.0',
      id: 'ask-1',
      method: 'message/send',
      params: { message: { role: 'user', parts: [{ kind: 'text', text: 'Paint a quay.' }], messageId: 'from-user-1' } },
    }),
    answer: { jsonrpc: '2.0', id: 'ask-1', result: kindTask(...first) },
    task: read(...first),
  },
  'a refinement with comments and trailing commas, its answer a second task': {
    generation: '0.2',
    file: `{
  "jsonrpc": "2.0",
  "id": "ask-2",
  "method": "message/send",
  "params": {
    "message": {
      "role": "user",
      "messageId": "from-user-2",
      "contextId": "ctx-quay", // The same context
      "referenceTaskIds": ["task-quay-1"], // May be left out
      "parts": [
        {
          "kind": "text",
          "text": "Good. Now in fog // not a comment"
          // The agent may want to know which one.
          // "metadata": {
          //   "referenceArtifacts: [
          //      { "artifactId": "artifact-quay-1", "taskId": "task-quay-1" }
          //   ]
          // }
        }
      ],
    }
  }
}`,
    sent: JSON.stringify({
      jsonrpc: '2.0',
      id: 'ask-2',
      method: 'message/send',
      params: {
        message: {
          role: 'user',
          messageId: 'from-user-2',
          contextId: 'ctx-quay',
          referenceTaskIds: ['task-quay-1'],
          parts: [{ kind: 'text', text: 'Good. Now in fog // not a comment' }],
        },
      },
    }),
    answer: { jsonrpc: '2.0', id: 'ask-2', result: kindTask(...second) },
    task: read(...second),
  },
  'the reference in the metadata of a part, as the comment has it': {
    generation: '0.2',
    file: written({
      jsonrpc: '2.0',
      id: 'ask-3',
      method: 'message/send',
      params: {
        message: {
          role: 'user',
          messageId: 'from-user-3',
          contextId: 'ctx-quay',
          parts: [
            { kind: 'text', text: 'In snow', metadata: { referenceArtifacts: [{ artifactId: 'artifact-quay-1', taskId: 'task-quay-1' }] } },
          ],
        },
      },
    }),
    answer: { jsonrpc: '2.0', id: 'ask-3', result: kindTask(...second) },
    task: read(...second),
  },
};

/** An answer as the document prints it is not JSON: it is refused with what it says. */
const commented = `{ "jsonrpc": "2.0", "id": "ask-4", "result": { "id": "task-quay-2", // New
  "status": { "state": "completed", }, "kind": "task" } }`;

export const commented0_2: Readonly<Record<string, Printed>> = {
  'an answer with comments and trailing commas': {
    generation: '0.2',
    file: written({ jsonrpc: '2.0', id: 'ask-4', method: 'tasks/get', params: { id: 'task-quay-2' } }),
    answer: { text: commented },
    problem: 'not-json',
    notes: ['RPC-01'],
  },
};

export const lifeOfATaskDraft: Readonly<Record<string, Printed>> = {
  'a first message, its answer a finished task': {
    generation: '1.0-draft',
    file: written({
      jsonrpc: '2.0',
      id: 'ask-1',
      method: 'message.send',
      params: { message: { role: 'user', parts: [{ text: 'Paint a quay.' }], messageId: 'from-user-1' } },
    }),
    answer: { jsonrpc: '2.0', id: 'ask-1', result: draftTask(...first) },
    task: read(...first),
  },
  'a refinement that refers to a task, its answer a second task': {
    generation: '1.0-draft',
    file: written({
      jsonrpc: '2.0',
      id: 'ask-2',
      method: 'message.send',
      params: {
        message: {
          role: 'user',
          messageId: 'from-user-2',
          contextId: 'ctx-quay',
          referenceTaskIds: ['task-quay-1'],
          parts: [{ text: 'Now in fog.' }],
        },
      },
    }),
    answer: { jsonrpc: '2.0', id: 'ask-2', result: draftTask(...second) },
    task: read(...second),
  },
};

/** An article of May 2025 on history: what the status says is the last of it, too. */
export const history0_1: Readonly<Record<string, Printed>> = {
  'a task whose status is repeated by its history': {
    generation: '0.1',
    file: written({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 't', historyLength: 10 } }),
    answer: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        status: { state: 'input-required', message: { role: 'agent', parts: [{ type: 'text', text: 'Which harbour?' }] } },
        history: [
          { role: 'user', parts: [{ type: 'text', text: 'How deep is the harbour?' }] },
          { role: 'agent', parts: [{ type: 'text', text: 'Which harbour?' }] },
        ],
      },
    },
    task: {
      id: '',
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { messageId: '', role: 'ROLE_AGENT', parts: [{ text: 'Which harbour?' }] } },
      history: [{ messageId: '', role: 'ROLE_USER', parts: [{ text: 'How deep is the harbour?' }] }],
    },
    notes: ['DATA-01'],
  },
};
