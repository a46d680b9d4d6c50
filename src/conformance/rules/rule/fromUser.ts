import type { Message } from '../../../protocol/message/message.ts';

/** A message with an id of its own, and some words where nothing else is given. */
export const fromUser = (more: Partial<Message> = {}): Message => ({
  messageId: crypto.randomUUID(),
  role: 'ROLE_USER',
  parts: [{ text: 'x' }],
  ...more,
});
