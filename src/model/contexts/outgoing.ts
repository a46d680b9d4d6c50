import { randomUUID } from 'node:crypto';
import type { Message } from '../../protocol/message/message.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Entry, MessageEntry } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { requirePasswords } from './passwords.ts';
import type { SendOptions } from '../run/sendOptions.ts';

/** The message that the options ask for, with an id of its own. Throws a `Problem` `empty-message`. */
export function outgoing({ parts, referenceTaskIds, message }: SendOptions, to: Pick<Message, 'contextId' | 'taskId'>): Message {
  if (parts.length === 0) throw new Problem('empty-message', sentence('Nothing to send.'));
  requirePasswords(parts);
  return withoutUndefined({
    messageId: randomUUID(),
    role: 'ROLE_USER' as const,
    parts: [...parts],
    contextId: to.contextId,
    taskId: to.taskId,
    referenceTaskIds: referenceTaskIds === undefined ? undefined : [...referenceTaskIds],
    ...message,
  });
}

/** The options to send a message that was refused, or whose delivery is unknown, again as a new one. Throws a `Problem` for any other entry. */
export function onceMore(entry: Entry | undefined): SendOptions {
  if (entry?.kind !== 'message' || (entry.delivery !== 'refused' && entry.delivery !== 'unknown')) {
    throw new Problem('not-resendable', sentence('Only a message that did not arrive can be sent again.'));
  }
  const { parts, taskId, referenceTaskIds, metadata, extensions } = entry.message;
  return {
    parts,
    referenceTaskIds,
    target: taskId === undefined ? 'new-task' : { taskId },
    message: withoutUndefined({ metadata, extensions }),
  };
}

/** The message of that entry, whose delivery is unknown. Throws a `Problem` for any other entry. */
export function uncertain(entry: Entry | undefined): MessageEntry {
  if (entry?.kind === 'message' && entry.delivery === 'unknown') return entry;
  throw new Problem('not-uncertain', sentence('Only a message whose delivery is unknown can be checked.'));
}
