import type { Message } from '../../protocol/message/message.ts';
import { textOf } from '../../protocol/message/part.ts';
import type { Task } from '../../protocol/message/task.ts';
import { messageOf, type RequestJson } from './requestJson.ts';
import { nameFor } from './requestName.ts';

/** Requests that send the user's messages again, each after the previous one. */
export function requestsOfMessages(messages: readonly Message[], agent: string): readonly RequestJson[] {
  const names = new Set<string>();
  return messages
    .filter(({ role, parts }) => role === 'ROLE_USER' && parts.length > 0)
    .map(({ parts }): RequestJson => {
      const after = [...names].at(-1);
      const name = nameFor(textOf(parts), names);
      names.add(name);
      return { name, agent, ...(after !== undefined && { after }), message: messageOf(parts) };
    });
}

/** Requests that repeat a task. Without messages of the user in its history, a request that gets the task. */
export function requestsOfTask({ id, history = [] }: Task, agent: string): readonly RequestJson[] {
  const requests = requestsOfMessages(history, agent);
  return requests.length > 0 ? requests : [{ agent, method: 'GetTask', params: { id } }];
}
