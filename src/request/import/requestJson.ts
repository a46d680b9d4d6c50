import type { Operation } from '../../protocol/message/operations.ts';
import type { Part } from '../../protocol/message/part.ts';
import { isObject } from '../../protocol/json.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import { theResponse } from '../file/controlKeys.ts';
import { escapedBraces } from '../template/template.ts';
import { writeJson } from '../text/indentJson.ts';

/** A value that is a template. All other texts of a request are written so that they are none. */
export class Template {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A request in the form of a file, its texts as they are sent. */
export interface RequestJson {
  readonly name?: string;
  readonly agent?: string;
  /** Binding and version, and the address where it is known. */
  readonly interface?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly after?: string;
  readonly method?: Operation;
  readonly waitFor?: string;
  readonly message?: string | readonly unknown[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly expect?: Readonly<Record<string, unknown>>;
}

/** Where a request goes, and the headers that it carries. */
export type Target = Pick<RequestJson, 'agent' | 'interface' | 'headers'>;

/**
 * The text of a file with these requests: a single one is the root, several are a list.
 *
 * Whatever writes a request goes through this or `requestText`: a text of an agent or a person stays a text, and a template of ours is a
 * `Template`.
 */
export function requestFileText(requests: readonly RequestJson[]): string {
  const [only] = requests;
  return `${requestText(requests.length === 1 && only !== undefined ? only : { requests })}\n`;
}

/** A request, or a file of them, as JSON. No request is written in another way: what agents say is text, and nothing is filled into it. */
export const requestText = (value: unknown): string => writeJson(written(value));

function written(value: unknown): unknown {
  if (typeof value === 'string') return escapedBraces(value);
  if (value instanceof Template) return value.text;
  if (Array.isArray(value)) return value.map(written);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, written(member)])) : value;
}

/** Parts in the form of a file: a single text as a string, and text parts among others as strings. */
export function messageOf(parts: readonly Part[]): string | readonly unknown[] {
  const short = parts.map((part): unknown => ('text' in part && Object.keys(part).length === 1 ? part.text : part));
  const [only] = short;
  return short.length === 1 && typeof only === 'string' ? only : short;
}

/** A request for an operation that is sent as it was: with the message's own id, and plainly. */
export function requestOf(operation: Operation, params: Readonly<Record<string, unknown>>, target: Target): RequestJson {
  const head = { ...target, method: operation };
  if (operation !== 'SendMessage' && operation !== 'SendStreamingMessage') return { ...head, params };
  const plainly = operation === 'SendMessage' && { waitFor: theResponse };
  const { message, ...rest } = params;
  const { role, messageId, ...others } = isObject(message) ? message : {};
  // Reading gives a message without an id one.
  const more = { ...(!String(messageId).startsWith(syntheticIdPrefix) && { messageId }), ...others };
  const { parts } = others;
  if (Array.isArray(parts) && (role === undefined || role === 'ROLE_USER') && Object.keys({ ...more, ...rest }).length === 1)
    return { ...head, ...plainly, message: messageOf(parts as Part[]) };
  return { ...head, ...plainly, params: { message: { ...(role !== 'ROLE_USER' && { role }), ...more }, ...rest } };
}
