import type { Message } from './message.ts';
import { statusKind, statusText } from './statusEntries.ts';
import { StatusTexts } from './statusTexts.ts';
import type { Task } from './task.ts';

/**
 * What the agent has said in the task since the person's last message, oldest first: its messages in the history, then the one of the status.
 * Messages that continue each other's text, as agents send an answer word by word with their statuses, are one.
 */
export function repliesIn({ history = [], status: { message: last } }: Pick<Task, 'history' | 'status'>): readonly Message[] {
  const said = history
    .slice(history.findLastIndex(({ role }) => role === 'ROLE_USER') + 1)
    .filter(({ role, messageId }) => role === 'ROLE_AGENT' && messageId !== last?.messageId);
  const texts = new StatusTexts<Message>();
  for (const message of last === undefined ? said : [...said, last])
    texts.add(message, statusText(message.parts), statusKind(message.parts));
  return texts.texts.flatMap(({ keys, text, grown }) => {
    const newest = keys.at(-1);
    if (newest === undefined) return [];
    return [grown ? { ...newest, parts: [{ ...newest.parts[0], text }] } : newest];
  });
}
