import type { ResponsePageMessage } from '../../../chat/host/responseMessages.ts';
import { isObject } from '../../../protocol/json.ts';

/** Longest address that is opened. */
const maxUrl = 100_000;

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Validates a message of the page of a response; undefined where it is none. */
export function readPageMessage(data: unknown): ResponsePageMessage | undefined {
  if (!isObject(data)) return undefined;
  const { type, url, response, content, part } = data;
  if (type === 'ready') return { type };
  if (type === 'openLink') return typeof url === 'string' && url.length <= maxUrl ? { type, url } : undefined;
  if (type !== 'openPart' && type !== 'savePart') return undefined;
  return isCount(response) && isCount(content) && isCount(part) ? { type, response, content, part } : undefined;
}
