import type { Message } from '../protocol/message.ts';
import type { Task } from '../protocol/task.ts';
import { syntheticIdPrefix } from '../protocol/versions/readTask.ts';

const content = (message: Message): string => JSON.stringify([message.role, message.parts]);

/**
 * The messages of a snapshot's history that are not among those said already, without the one its status says (A2A 1.0 §3.7 leaves it
 * to the agent what a history holds). Messages are told apart by id; where an agent gives them none, or gives the person's messages
 * ids of its own, by what they say.
 */
export function unknownMessages(task: Task, said: readonly Message[]): Message[] {
  const history = task.history ?? [];
  if (history.length === 0) return [];
  const saidIds = new Set(said.map(message => message.messageId));
  const told = new Set(history.map(message => message.messageId));
  const statusId = task.status.message?.messageId;
  const seen = new Set<string>();
  let unmatched: string[] | undefined;
  return history.filter(message => {
    const { messageId, role } = message;
    if (saidIds.has(messageId) || messageId === statusId || seen.has(messageId)) return false;
    seen.add(messageId);
    if (!messageId.startsWith(syntheticIdPrefix) && role !== 'ROLE_USER') return true;
    unmatched ??= said.filter(known => !told.has(known.messageId)).map(content);
    const match = unmatched.indexOf(content(message));
    if (match >= 0) unmatched.splice(match, 1);
    return match < 0;
  });
}
