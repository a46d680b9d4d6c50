import { membersOf, type JsonNode } from '../text/jsonNode.ts';
import { jsonTypes } from './matcher.ts';
import { checkedKeywords } from './schemaFault.ts';

/** Keywords of 2020-12 and draft-07 that say nothing of what a value must be like. */
const annotations = [
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'format',
  'contentMediaType',
  'contentEncoding',
  'contentSchema',
  'readOnly',
  'writeOnly',
  'deprecated',
  'definitions',
  '$defs',
  'minContains',
  'maxContains',
  'then',
  'else',
];

/** What a JSON schema may have. */
export const keywordNames: readonly string[] = [...checkedKeywords, ...annotations];

export const typeNames: readonly string[] = jsonTypes;

const maps = ['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'dependencies'];
const single = [
  'items',
  'additionalItems',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const lists = ['items', 'prefixItems', 'allOf', 'anyOf', 'oneOf'];

/** The schemas inside the value of a keyword. */
export function schemasUnder(keyword: string, value: JsonNode | undefined): readonly JsonNode[] {
  if (value?.type === 'object' && maps.includes(keyword)) return membersOf(value).flatMap(member => member.value ?? []);
  if (value?.type === 'object' && single.includes(keyword)) return [value];
  return value?.type === 'array' && lists.includes(keyword) ? (value.children ?? []) : [];
}
