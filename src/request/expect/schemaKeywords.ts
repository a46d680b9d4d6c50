import { membersOf, type JsonNode } from '../text/jsonNode.ts';
import { jsonTypes } from './matcher.ts';
import { checkedKeywords } from './schemaFault.ts';

/** Keywords of draft-07 that say nothing of what a value must be like. */
const annotations = [
  '$schema',
  '$id',
  'id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'format',
  'contentMediaType',
  'contentEncoding',
  'readOnly',
  'writeOnly',
  'deprecated',
  'definitions',
  '$defs',
  'then',
  'else',
];

/** What a JSON schema may have. */
export const keywordNames: readonly string[] = [...checkedKeywords, ...annotations];

export const typeNames: readonly string[] = jsonTypes;

const maps = ['properties', 'patternProperties', 'definitions', '$defs'];
const single = ['items', 'additionalItems', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];
const lists = ['items', 'allOf', 'anyOf', 'oneOf'];

/** The schemas inside the value of a keyword. */
export function schemasUnder(keyword: string, value: JsonNode | undefined): readonly JsonNode[] {
  if (value?.type === 'object' && maps.includes(keyword)) return membersOf(value).flatMap(member => member.value ?? []);
  if (value?.type === 'object' && single.includes(keyword)) return [value];
  return value?.type === 'array' && lists.includes(keyword) ? (value.children ?? []) : [];
}
