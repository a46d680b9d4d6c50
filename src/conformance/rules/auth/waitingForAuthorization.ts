import { isObject } from '../../../protocol/json.ts';
import { readTaskState } from '../../../protocol/message/taskState.ts';

/** True for a status that asks for authorization without any words. */
export function asksWithoutWords(status: unknown): boolean {
  if (!isObject(status) || readTaskState(status['state']) !== 'TASK_STATE_AUTH_REQUIRED') return false;
  const { message } = status;
  // In 0.3's protocol buffers a message has its parts in `content`.
  const parts = isObject(message) ? (message['parts'] ?? message['content']) : undefined;
  return !Array.isArray(parts) || parts.length === 0;
}
