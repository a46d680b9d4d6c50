import { randomUUID } from 'node:crypto';
import { contextIdOf, taskIdOf, type StreamResponse } from '../protocol/message/streamResponse.ts';

/** The members whose values name a task, a context or a message. */
const idMembers = new Set(['id', 'taskId', 'contextId', 'messageId', 'referenceTaskIds']);

/** An event with ids of this agent in place of recorded ones: wherever a text is one of them, and new ones for those that are new. */
export function renamed(event: StreamResponse, ids: Map<string, string>): StreamResponse {
  const note = (id: string | undefined): void => {
    if (id !== undefined && !ids.has(id)) ids.set(id, randomUUID());
  };
  note(taskIdOf(event));
  note(contextIdOf(event));
  const walk = (value: unknown, member = ''): unknown => {
    if (typeof value === 'string') {
      if (member === 'messageId') note(value);
      return idMembers.has(member) || value.length >= shortestInText ? (ids.get(value) ?? value) : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    // What has no id in it, most of a chunk, is given on as it is. A member that is called __proto__ stays a member: it is in the copy before.
    const before = value as Readonly<Record<string, unknown>>;
    let now: Record<string, unknown> | undefined;
    for (const name of Object.keys(before)) {
      const inner = walk(before[name], Array.isArray(value) ? member : name);
      if (inner !== before[name])
        (now ??= (Array.isArray(value) ? [...(value as readonly unknown[])] : { ...before }) as Record<string, unknown>)[name] = inner;
    }
    return now ?? value;
  };
  return walk(event) as StreamResponse;
}

/** A shorter text that equals an id may be a word. In UTF-16 code units. */
const shortestInText = 8;
