import { fillNode, type Scope } from './fill.ts';
import { membersOf, type JsonNode } from '../text/jsonNode.ts';
import { isRemovedKey, rawBody, type RawBody } from '../file/rawBody.ts';
import { jsonText, variablesIn, type Text } from '../text/pieced.ts';
import { templatedStrings } from '../template/templateUse.ts';

/**
 * The body with its templates filled in by `fillString`. With holes in it, it is written anew.
 * @throws RequestFault `no-value`, as `fillNode` does
 */
export async function filledBody(
  raw: RawBody,
  scope: Scope,
  fillString = (node: JsonNode): Promise<unknown> => fillNode(node, scope),
): Promise<Text> {
  const { text } = scope.file;
  const filled = new Map<number, unknown>();
  for (const { value: member } of membersOf(raw.node).filter(({ name }) => !isRemovedKey(name, raw))) {
    for (const string of member === undefined ? [] : templatedStrings(text, member)) filled.set(string.offset, await fillString(string));
  }
  if (variablesIn([...filled.values()]).length > 0) return jsonText(await bodyValue(raw, scope), '  ');
  return rawBody(text, raw, new Map([...filled].map(([offset, value]) => [offset, JSON.stringify(value)])));
}

/**
 * The value of the body, its templates filled in.
 * @throws RequestFault as `fillNode` does
 */
export async function bodyValue(raw: RawBody, scope: Scope): Promise<Readonly<Record<string, unknown>>> {
  const members: [string, unknown][] = [];
  for (const { name, value } of membersOf(raw.node))
    if (value !== undefined && !isRemovedKey(name, raw)) members.push([name, await fillNode(value, scope)]);
  return Object.fromEntries(members);
}
