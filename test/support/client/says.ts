import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

/** A user's message, as a client sends it. */
export const asks = (text: string, more: Partial<Message> = {}): { message: Message } => ({
  message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }], ...more },
});

export const says = (text: string, more: Partial<Message> = {}): Message => ({
  messageId: 'a-1',
  role: 'ROLE_AGENT',
  parts: [{ text }],
  ...more,
});

export const task = (state: TaskState, more: Partial<Task> = {}): Task => ({
  id: 't-1',
  contextId: 'c-1',
  status: { state, timestamp: '2026-01-02T03:04:05.678Z' },
  ...more,
});

export const statusUpdate = (state: TaskState, message?: Message): StreamResponse => ({
  statusUpdate: { taskId: 't-1', contextId: 'c-1', status: message === undefined ? { state } : { state, message } },
});

export const chunk = (text: string, append: boolean, lastChunk = false): StreamResponse => ({
  artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'x-1', name: 'text', parts: [{ text }] }, append, lastChunk },
});
