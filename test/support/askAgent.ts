import { randomUUID } from 'node:crypto';
import type { Task } from '../../src/protocol/message/task.ts';

/**
 * Asks an agent directly, with nothing of the product in between: what it answers is what the product's view is held against.
 * `url` is the agent's base address.
 */
async function ask(url: string, method: string, params: unknown): Promise<unknown> {
  const card = (await (await fetch(new URL('.well-known/agent-card.json', `${url.replace(/\/$/, '')}/`))).json()) as {
    supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[];
  };
  const endpoint = card.supportedInterfaces.find(
    ({ protocolBinding, protocolVersion }) => protocolBinding === 'JSONRPC' && protocolVersion === '1.0',
  );
  if (endpoint === undefined) throw new Error('no JSON-RPC 1.0 interface');
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

export async function getTask(url: string, id: string): Promise<Task> {
  return (await ask(url, 'GetTask', { id })) as Task;
}

/** All tasks the agent has, newest status first, with their artifacts. */
export async function listTasks(url: string): Promise<Task[]> {
  const { tasks } = (await ask(url, 'ListTasks', { pageSize: 100, includeArtifacts: true })) as { tasks: Task[] };
  return tasks;
}

/** Starts or continues a task directly at the agent, unknown to the extension; resolves when it ends or waits for input. */
export async function sendText(url: string, text: string, task: Pick<Task, 'id' | 'contextId'> | undefined = undefined): Promise<void> {
  const into = task && { taskId: task.id, contextId: task.contextId };
  await ask(url, 'SendMessage', { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...into } });
}
