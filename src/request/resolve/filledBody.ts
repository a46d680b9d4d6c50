import { fillNode, type Scope } from './fill.ts';
import { membersOf, type JsonNode } from '../text/jsonNode.ts';
import { isRemovedKey, rawBody, type RawBody } from '../file/rawBody.ts';
import { templatedStrings } from '../template/templateUse.ts';

/**
 * The body with its templates filled in by `fillString`.
 * @throws RequestFault `no-value`, as `fillNode` does
 */
export async function filledBody(
  raw: RawBody,
  scope: Scope,
  fillString = (node: JsonNode): Promise<unknown> => fillNode(node, scope),
): Promise<string> {
  const { text } = scope.file;
  const filled = new Map<number, string>();
  for (const { value: member } of membersOf(raw.node).filter(({ name }) => !isRemovedKey(name, raw))) {
    for (const string of member === undefined ? [] : templatedStrings(text, member))
      filled.set(string.offset, JSON.stringify(await fillString(string)));
  }
  return rawBody(text, raw, filled);
}
