import { createScanner, type SyntaxKind } from 'jsonc-parser';
import { isFileKey } from './keys.ts';
import { memberOf, membersOf, type JsonNode } from './jsonNode.ts';

/**
 * True where the object is a body as the protocol's documents print it, not a request of this format: a JSON-RPC one has the envelope's
 * own members, or its message is written in the shape of A2A 0.3 or earlier; a task of the task API has a name and data.
 */
export function isRawBody(root: JsonNode): boolean {
  if (memberOf(root, 'jsonrpc') !== undefined || isTaskBody(root)) return true;
  if (memberOf(root, 'method') === undefined) return false;
  if (memberOf(root, 'id') !== undefined) return true;
  const message = memberOf(memberOf(root, 'params')?.value, 'message')?.value;
  const role: unknown = memberOf(message, 'role')?.value?.value;
  return role === 'user' || role === 'agent' || memberOf(message, 'kind') !== undefined;
}

const isTaskBody = (root: JsonNode): boolean => ['taskId', 'data'].every(name => memberOf(root, name) !== undefined);

// jsonc-parser declares these as a const enum, which a type-stripping compiler cannot inline.
const kind = { closeBrace: 2, closeBracket: 4, comma: 5, lineComment: 12, blockComment: 13, endOfFile: 17 } as const satisfies Record<string, SyntaxKind>;

/**
 * The text of a raw body as it goes over the wire: as written, without what JSON does not allow (comments, trailing commas) and without
 * the file's own keys. A body that is strict JSON and has no such key stays byte for byte.
 */
export function rawBody(text: string, root: JsonNode): string {
  const own = membersOf(root).filter(({ name }) => isFileKey(name));
  const pieces: string[] = [];
  let comma: string | undefined;
  let skipComma = false;
  let bare = own.length === 0;
  const scanner = createScanner(text, false);
  for (let token = scanner.scan(); token !== kind.endOfFile; token = scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const member = own.find(({ nameRange, value }) =>
      offset >= nameRange.offset && offset < (value === undefined ? nameRange.offset + nameRange.length : value.offset + value.length));
    if (member !== undefined) {
      skipComma = true;
      continue;
    }
    const written = text.slice(offset, offset + scanner.getTokenLength());
    if (token === kind.lineComment || token === kind.blockComment) {
      bare = false;
    } else if (token === kind.comma) {
      if (!skipComma) {
        if (comma !== undefined) pieces.push(comma);
        comma = written;
      }
      skipComma = false;
    } else if (written.trim() === '') {
      // Space waits with the comma before it, so that a dropped comma takes nothing else with it.
      if (comma === undefined) pieces.push(written);
      else comma += written;
    } else {
      const closing = token === kind.closeBrace || token === kind.closeBracket;
      if (comma !== undefined) pieces.push(closing ? comma.slice(1) : comma);
      if (closing && comma !== undefined) bare = false;
      comma = undefined;
      skipComma = false;
      pieces.push(written);
    }
  }
  return bare ? text : pieces.join('').trim();
}
