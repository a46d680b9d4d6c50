import { listOf, sentence } from '../../protocol/problem.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { matcherSchema } from '#requestSchemas';
import { memberOf, membersOf, rangeOf, type JsonNode, type Member } from '../text/jsonNode.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { errorAt, type RequestProblem } from '../text/requestProblem.ts';
import { schemaProblems } from './schemaProblems.ts';
import type { TextRange } from '../text/textRange.ts';
import { jsonTypes, matcherNames, meantMatcher, strangersIn } from '../expect/matcher.ts';
import { readable } from '../expect/paths.ts';
import { patternFault } from '../expect/pattern.ts';
import { checkedKeywords } from '../expect/schemaFault.ts';
import { leadsInto } from '../expect/snapshot.ts';

/** Problems in `expect` beyond its schema: unknown matchers, paths, expressions, and keywords of `data`. */
export function* expectationProblems(expect: JsonNode): Iterable<RequestProblem> {
  const paths = membersOf(memberOf(expect, 'paths')?.value);
  for (const { name, nameRange } of paths) {
    if (!name.includes('{{') && !readable(name))
      yield errorAt('bad-path', nameRange, sentence('"{0}" is not a path such as {1}.', name, 'task.artifacts[0].name'));
  }
  const error = memberOf(expect, 'error')?.value;
  const events = memberOf(expect, 'events')?.value;
  const artifacts = itemsOf(memberOf(expect, 'artifacts')?.value);
  const inOrder = itemsOf(events?.type === 'object' ? memberOf(events, 'inOrder')?.value : events);
  const texts = [memberOf(error, 'message'), ...[expect, ...artifacts, ...inOrder].map(holder => memberOf(holder, 'text'))];
  for (const text of texts) if (text?.value?.type === 'object') yield* insideMatcher(text.value);
  const headers = membersOf(memberOf(expect, 'headers')?.value);
  const values = [...paths, ...headers, ...[error, ...artifacts].map(holder => memberOf(holder, 'data'))];
  for (const value of values) if (value?.value?.type === 'object') yield* wantedValue(value.value, { literal: true });
  const data = memberOf(expect, 'data')?.value;
  if (data !== undefined) yield* keywordsOf(data);
  for (const pointer of itemsOf(memberOf(memberOf(expect, 'snapshot')?.value, 'ignore')?.value)) {
    const text = String(pointer.value);
    if (pointer.type === 'string' && !text.includes('{{') && !leadsInto(text))
      yield errorAt('bad-pointer', rangeOf(pointer), sentence('"{0}" is not a JSON Pointer such as {1}.', text, '/artifacts/0/metadata'));
  }
}

const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] => (node?.type === 'array' ? (node.children ?? []) : []);

/** An object that a value is compared with: a matcher, or where `literal` is true the value itself. */
function* wantedValue(node: JsonNode, { literal }: { readonly literal: boolean }): Iterable<RequestProblem> {
  const members = membersOf(node);
  const names = members.map(({ name }) => name);
  const strangers = strangersIn(names, literal);
  for (const { name, nameRange } of members.filter(member => strangers.includes(member.name))) yield unknownMatcher(name, nameRange);
  if (strangers.length > 0 || !meantMatcher(names, literal)) return;
  schemaOfMatchers ??= matcherSchema();
  yield* schemaProblems(node, schemaOfMatchers);
  yield* insideMatcher(node);
}

let schemaOfMatchers: JsonSchema | undefined;

/** Problems in a matcher's values that its schema does not find. */
function* insideMatcher(node: JsonNode): Iterable<RequestProblem> {
  const negated = memberOf(node, 'not')?.value;
  if (negated?.type === 'object') {
    if (membersOf(negated).length === 0) yield errorAt('empty', rangeOf(negated), sentence('{0} must not be empty.', '"not"'));
    yield* wantedValue(negated, { literal: false });
  }
  for (const name of ['some', 'every']) {
    const items = memberOf(node, name)?.value;
    if (items?.type === 'object') yield* wantedValue(items, { literal: true });
  }
  const schema = memberOf(node, 'schema')?.value;
  if (schema !== undefined) yield* keywordsOf(schema);
  yield* expression(memberOf(node, 'matches'));
}

function* expression(member: Member | undefined): Iterable<RequestProblem> {
  const node = member?.value;
  if (node?.type !== 'string' || String(node.value).includes('{{')) return;
  const fault = patternFault(String(node.value));
  if (fault !== undefined) yield errorAt('bad-pattern', rangeOf(node), fault);
}

function unknownMatcher(name: string, range: TextRange): RequestProblem {
  const like = closestMatch(name, matcherNames);
  return {
    ...errorAt(
      'unknown-key',
      range,
      like === undefined
        ? sentence(
            'Unknown matcher "{0}". Available: {1}. To compare with the object itself, write it under "equals".',
            name,
            listOf(matcherNames),
          )
        : sentence('Unknown matcher "{0}". Did you mean "{1}"? To compare with the object itself, write it under "equals".', name, like),
    ),
    alternatives: like === undefined ? [] : [like],
  };
}

/** A keyword that is not checked would accept every value. */
function* keywordsOf(schema: JsonNode): Iterable<RequestProblem> {
  for (const member of membersOf(schema)) {
    const { name, nameRange, value } = member;
    if (!keywordNames.includes(name) && !name.startsWith('x-')) {
      const like = closestMatch(name, keywordNames);
      yield {
        ...errorAt(
          'unknown-key',
          nameRange,
          like === undefined
            ? sentence('"{0}" is not a keyword of JSON schema (2020-12 or draft-07), so it would not be checked.', name)
            : sentence('"{0}" is not a keyword of JSON schema (2020-12 or draft-07). Did you mean "{1}"?', name, like),
        ),
        alternatives: like === undefined ? [] : [like],
      };
    }
    if (name === 'type') yield* types(value);
    if (name === 'pattern') yield* expression(member);
    for (const inner of schemasUnder(name, value)) yield* keywordsOf(inner);
  }
}

function* types(node: JsonNode | undefined): Iterable<RequestProblem> {
  for (const one of node?.type === 'array' ? itemsOf(node) : [node]) {
    const name = String(one?.value);
    if (one?.type !== 'string' || name.includes('{{') || typeNames.includes(name)) continue;
    const like = closestMatch(name, typeNames);
    yield {
      ...errorAt(
        'unknown-value',
        rangeOf(one),
        sentence('{0} cannot be {1}. Allowed: {2}.', '"type"', JSON.stringify(name), listOf(typeNames)),
      ),
      alternatives: like === undefined ? [] : [like],
    };
  }
}

/** Keywords of 2020-12 and draft-07 that constrain no value. */
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

/** Keywords that a JSON schema may have. */
const keywordNames: readonly string[] = [...checkedKeywords, ...annotations];

const typeNames: readonly string[] = jsonTypes;

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
function schemasUnder(keyword: string, value: JsonNode | undefined): readonly JsonNode[] {
  if (value?.type === 'object' && maps.includes(keyword)) return membersOf(value).flatMap(member => member.value ?? []);
  if (value?.type === 'object' && single.includes(keyword)) return [value];
  return value?.type === 'array' && lists.includes(keyword) ? (value.children ?? []) : [];
}
