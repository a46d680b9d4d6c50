import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';

const content = (message: Message): string => JSON.stringify([message.role, message.parts]);

/**
 * The messages of a snapshot's history that are not among those said already, without the one its status says (A2A 1.0 §3.7 leaves it
 * to the agent what a history holds). Messages are told apart by id; where an agent gives them none, or gives the person's messages
 * ids of its own, by what they say. `saidIds`: the ids of what was said.
 */
export function unknownMessages(task: Task, said: readonly Message[], saidIds: Pick<ReadonlyMap<string, unknown>, 'has'>): Message[] {
  const history = task.history ?? [];
  if (history.length === 0) return [];
  const told = new Set(history.map(message => message.messageId));
  // Some agents give one id to all that they say, which is then told apart by what it says.
  const isShared = told.size < history.length;
  const keyOf = (message: Message): string =>
    isShared && message.role !== 'ROLE_USER' ? `${message.messageId}\n${content(message)}` : message.messageId;
  const saidKeys = isShared ? new Set(said.map(keyOf)) : saidIds;
  const statusId = task.status.message?.messageId;
  const seen = new Set<string>();
  /** How often each of them was said. */
  let unmatched: Map<string, number> | undefined;
  return history.filter(message => {
    const { messageId, role } = message;
    const key = keyOf(message);
    if (saidKeys.has(key) || messageId === statusId || seen.has(key)) return false;
    seen.add(key);
    if (!messageId.startsWith(syntheticIdPrefix) && role !== 'ROLE_USER') return true;
    unmatched ??= timesOf(said.filter(known => !told.has(known.messageId)).map(content));
    const words = content(message);
    const times = unmatched.get(words) ?? 0;
    unmatched.set(words, times - 1);
    return times <= 0;
  });
}

function timesOf(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}
