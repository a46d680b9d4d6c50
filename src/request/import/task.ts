import type { Message } from '../../protocol/message/message.ts';
import { textOf } from '../../protocol/message/part.ts';
import type { Task } from '../../protocol/message/task.ts';
import { messageOf, type RequestJson } from './requestJson.ts';
import { nameFor } from './requestName.ts';

/** Requests that would say again what the person said in these messages, one message after the other. */
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

/** Requests that would do again what was done in a task. A task whose history holds no message of the person is only looked at. */
export function requestsOfTask({ id, history = [] }: Task, agent: string): readonly RequestJson[] {
  const said = requestsOfMessages(history, agent);
  return said.length > 0 ? said : [{ agent, method: 'GetTask', params: { id } }];
}
