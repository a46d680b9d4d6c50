import { isFileKey, isRequestKey } from './keys.ts';
import { memberOf, membersOf, type JsonNode } from '../text/jsonNode.ts';
import { closes, isComment, jsonTokens, tokenKind } from '../text/jsonTokens.ts';
import { endOf, type TextRange } from '../text/textRange.ts';

/** A body that is sent as it is written in the file. */
export interface RawBody {
  readonly node: JsonNode;
  /** True where it is the whole file, or fence, and not one of several requests. */
  readonly alone: boolean;
  /** Then the range of the file or fence: what stands around the object is sent, too. */
  readonly section?: TextRange;
}

/**
 * True for an object that is a body as in the protocol's documents rather than a request of this format. A JSON-RPC body has members of the
 * envelope, a task of the task API has an id and data. Where the body is the whole file, the envelope may be missing if its message has the
 * shape of A2A 0.3 or earlier.
 */
export function isRawBody(node: JsonNode, alone: boolean): boolean {
  if (memberOf(node, 'jsonrpc') !== undefined || ['taskId', 'data'].every(name => memberOf(node, name) !== undefined)) return true;
  if (memberOf(node, 'method') === undefined) return false;
  if (memberOf(node, 'id') !== undefined) return true;
  const message = memberOf(memberOf(node, 'params')?.value, 'message')?.value;
  const role: unknown = memberOf(message, 'role')?.value?.value;
  return alone && (role === 'user' || role === 'agent' || memberOf(message, 'kind') !== undefined);
}

/** Keys of the file format that bodies and envelopes may have as well: in a body they are members of it. */
const ofBodies: readonly string[] = ['method', 'params', 'message', 'configuration', 'metadata', 'tenant', 'extensions'];

/** True for keys of the file format that are removed from a body. The envelope has members with some of the same names, which stay. */
export const isRemovedKey = (name: string, { alone }: Pick<RawBody, 'alone'>): boolean =>
  (isRequestKey(name) && !ofBodies.includes(name)) || (alone && isFileKey(name));

/**
 * The text of a raw body as it is sent: as written, without what JSON does not allow (comments, trailing commas) and without keys of the
 * file format. A body of strict JSON without such keys is sent byte for byte.
 * @param filled replacements for the tokens at these offsets
 */
export function rawBody(file: string, { node, alone, section = node }: RawBody, filled: ReadonlyMap<number, string> = new Map()): string {
  const own = membersOf(node).filter(({ name }) => isRemovedKey(name, { alone }));
  const start = section.offset;
  const text = file.slice(start, endOf(section));
  const pieces: string[] = [];
  let comma: string | undefined;
  let skipComma = false;
  let bare = own.length === 0 && filled.size === 0;
  for (const token of jsonTokens(text)) {
    const offset = start + token.start;
    const member = own.find(
      ({ nameRange, value }) =>
        offset >= nameRange.offset && offset < (value === undefined ? nameRange.offset + nameRange.length : value.offset + value.length),
    );
    if (member !== undefined) {
      skipComma = true;
      continue;
    }
    const written = filled.get(offset) ?? text.slice(token.start, token.end);
    if (isComment(token)) {
      bare = false;
    } else if (token.kind === tokenKind.comma) {
      if (!skipComma) {
        if (comma !== undefined) pieces.push(comma);
        comma = written;
      }
      skipComma = false;
    } else if (written.trim() === '') {
      // White space after a comma is kept with it, so that dropping the comma removes nothing else.
      if (comma === undefined) pieces.push(written);
      else comma += written;
    } else {
      const closing = closes(token);
      if (comma !== undefined) pieces.push(closing ? comma.slice(1) : comma);
      if (closing && comma !== undefined) bare = false;
      comma = undefined;
      skipComma = false;
      pieces.push(written);
    }
  }
  return bare ? text : pieces.join('').trim();
}
