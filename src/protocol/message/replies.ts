import type { Message } from './message.ts';
import { statusKind, statusText } from './statusEntries.ts';
import { StatusTexts } from './statusTexts.ts';
import type { Task } from './task.ts';

/**
 * The agent's messages in the task since the user's last one, oldest first: those in the history, then that of the status. Messages that
 * continue each other's text (agents stream an answer token by token in statuses) are joined into one.
 */
export function repliesIn({ history = [], status: { message: last } }: Pick<Task, 'history' | 'status'>): readonly Message[] {
  const said = history
    .slice(history.findLastIndex(({ role }) => role === 'ROLE_USER') + 1)
    .filter(({ role, messageId }) => role === 'ROLE_AGENT' && messageId !== last?.messageId);
  const texts = new StatusTexts<Message>();
  for (const message of last === undefined ? said : [...said, last])
    texts.add(message, statusText(message.parts), statusKind(message.parts));
  return texts.texts.flatMap(({ keys, text, isJoined }) => {
    const newest = keys.at(-1);
    if (newest === undefined) return [];
    return [isJoined ? { ...newest, parts: [{ ...newest.parts[0], text }] } : newest];
  });
}
