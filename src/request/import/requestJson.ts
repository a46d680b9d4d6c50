import type { Operation } from '../../protocol/message/operations.ts';
import type { Part } from '../../protocol/message/part.ts';
import { isObject } from '../../protocol/json.ts';
import { writeJson } from '../text/indentJson.ts';

/** A request in the form of a file. */
export interface RequestJson {
  readonly name?: string;
  readonly agent?: string;
  readonly after?: string;
  readonly method?: Operation;
  readonly message?: string | readonly unknown[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly expect?: Readonly<Record<string, unknown>>;
}

/** The text of a file with these requests: a single one is the root, several are a list. */
export function requestFileText(requests: readonly RequestJson[]): string {
  const [only] = requests;
  return `${writeJson(requests.length === 1 && only !== undefined ? only : { requests })}\n`;
}

/** Parts in the form of a file: a single text as a string, and text parts among others as strings. */
export function messageOf(parts: readonly Part[]): string | readonly unknown[] {
  const written = parts.map((part): unknown => ('text' in part && Object.keys(part).length === 1 ? part.text : part));
  const [only] = written;
  return written.length === 1 && typeof only === 'string' ? String(literalText(only)) : written.map(literalText);
}

/** A copy whose texts have escaped braces, so that they are not templates. */
function literalText(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{');
  if (Array.isArray(value)) return value.map(literalText);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literalText(member)])) : value;
}

/** A request for an operation; a send that has only parts becomes a `message`. */
export function requestOf(operation: Operation, params: Readonly<Record<string, unknown>>, agent?: string): RequestJson {
  const { message, ...rest } = params;
  const sends = operation === 'SendMessage' || operation === 'SendStreamingMessage';
  const { messageId: _id, role, parts, ...more } = isObject(message) ? message : {};
  const head = { ...(agent !== undefined && { agent }), method: operation };
  if (
    sends &&
    Array.isArray(parts) &&
    (role === undefined || role === 'ROLE_USER') &&
    Object.keys(more).length === 0 &&
    Object.keys(rest).length === 0
  ) {
    return { ...head, message: messageOf(parts as Part[]) };
  }
  const kept = sends ? { message: { ...(role !== 'ROLE_USER' && { role }), parts, ...more }, ...rest } : params;
  return { ...head, params: literalText(kept) as Readonly<Record<string, unknown>> };
}
