import type { Task } from '../../protocol/task.ts';
import { isReferable } from '../template.ts';
import { textOf } from '../../protocol/part.ts';
import { messageOf, type RequestJson } from './requestJson.ts';

/** Longest name that is made of a message's words. */
const longestName = 40;

/**
 * Requests that would do again what was done in a task: what the person said, one message after the other. A task whose history holds no
 * such message is only looked at.
 */
export function requestsOfTask({ id, history = [] }: Task, agent: string): readonly RequestJson[] {
  const said = history.filter(({ role, parts }) => role === 'ROLE_USER' && parts.length > 0);
  if (said.length === 0) return [{ agent, method: 'GetTask', params: { id } }];
  const names = new Set<string>();
  return said.map(({ parts }): RequestJson => {
    const after = [...names].at(-1);
    const name = nameFor(textOf(parts), names);
    names.add(name);
    return { name, agent, ...(after !== undefined && { after }), message: messageOf(parts) };
  });
}

/** The first words as a name that templates can refer to, and that nothing else has. */
function nameFor(words: string, taken: ReadonlySet<string>): string {
  const slug = words.slice(0, 200).toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, longestName).replaceAll(/^-+|-+$/g, '');
  const name = isReferable(slug) ? slug : 'message';
  let number = 2;
  while (taken.has(number === 2 ? name : `${name}-${number - 1}`)) number += 1;
  return number === 2 ? name : `${name}-${number - 1}`;
}
