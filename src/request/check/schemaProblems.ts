import { isDeepStrictEqual } from 'node:util';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { brief } from '../expect/check.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { template } from '../schema/templatePattern.ts';
import { anyOfTypes, listed, typeWords } from '../text/typeWords.ts';
import { memberOf, membersOf, rangeOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { errorAt, type RequestProblem } from '../text/requestProblem.ts';

/** Most unknown keys that are reported for a tree: each is compared with all known names. */
const maxUnknownKeys = 1_000;

interface At {
  readonly root: JsonSchema;
  /** Set where only the result of a condition matters: problems are not reported. */
  readonly probing: boolean;
  /** Unknown members are warnings here. */
  readonly extensible: boolean;
}

/** All problems of a tree that does not fit a schema, in traversal order. Supports only the draft-07 keywords that our own schemas use. */
export function schemaProblems(node: JsonNode, schema: JsonSchema): RequestProblem[] {
  const found: RequestProblem[] = [];
  visit(node, schema, { root: schema, probing: false, extensible: false }, found);
  return found;
}

function visit(node: JsonNode, schema: JsonSchema, at: At, found: RequestProblem[]): void {
  const referred = schema['$ref'];
  if (typeof referred === 'string') return visit(node, definition(referred, at.root), at, found);
  const here = schema.extensible === undefined ? at : { ...at, extensible: schema.extensible };
  const wrong = ownProblem(node, schema, at.probing);
  // For a value of the wrong type, nothing else is checked.
  if (wrong !== undefined) return void found.push(wrong);
  if (node.type === 'object') members(node, schema, here, found);
  if (schema.items !== undefined && node.type === 'array') for (const item of node.children ?? []) visit(item, schema.items, here, found);
  for (const one of schema.allOf ?? []) visit(node, one, here, found);
  if (schema.anyOf !== undefined) alternatives(node, schema.anyOf, here, found);
  if (schema.not !== undefined && fits(node, schema.not, here)) {
    found.push(
      at.probing
        ? unread
        : problemAt(node, 'not-allowed', schema.problem ?? sentence('{0} must not be {1}.', nameOf(node), brief(valueOf(node)))),
    );
  }
  if (schema.if === undefined) return;
  const branch = fits(node, schema.if, here) ? schema.then : schema.else;
  if (branch !== undefined) visit(node, branch, here, found);
}

function definition(reference: string, root: JsonSchema): JsonSchema {
  const definitions = root['definitions'] as Readonly<Record<string, JsonSchema>> | undefined;
  return definitions?.[reference.slice('#/definitions/'.length)] ?? {};
}

function fits(node: JsonNode, schema: JsonSchema, at: At): boolean {
  const found: RequestProblem[] = [];
  visit(node, schema, at.probing ? at : { ...at, probing: true }, found);
  return found.length === 0;
}

const problemAt = (node: JsonNode, code: string, what: LocalizedMessage): RequestProblem => errorAt(code, rangeOf(node), what);

/** Values with a template are known only when it is filled in. */
const isTemplate = ({ type, value }: JsonNode): boolean => type === 'string' && String(value).includes('{{');

/** Returned in place of any problem where only the result counts. */
const unread: RequestProblem = errorAt('unread', { offset: 0, length: 0 }, sentence('The file'));

const none: readonly string[] = [];

/** Compiled patterns of our own schemas: every string of a file is checked against one. */
const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known;
}

/** A problem of the value itself, regardless of its members. */
function ownProblem(node: JsonNode, schema: JsonSchema, probing: boolean): RequestProblem | undefined {
  const { type, pattern } = schema;
  const types: readonly string[] = type === undefined ? none : typeof type === 'string' ? [type] : type;
  const orTemplate = pattern === template && types.length > 1;
  const size = node.children?.length ?? 0;
  if (types.length > 0 && !types.some(one => isOfType(node, one)))
    return probing ? unread : wrongType(node, orTemplate ? types.filter(one => one !== 'string') : types);
  if (schema.const !== undefined && !isDeepStrictEqual(valueOf(node), schema.const)) {
    if (probing) return unread;
    return {
      ...problemAt(node, 'unknown-value', sentence('{0} must be {1}.', nameOf(node), JSON.stringify(schema.const))),
      alternatives: [String(schema.const)],
    };
  }
  if (schema.enum !== undefined && !schema.enum.includes(node.value)) return probing ? unread : unknownValue(node, schema.enum);
  if (node.type === 'string' && pattern !== undefined && !compiled(pattern).test(String(node.value)) && !isTemplate(node)) {
    if (probing) return unread;
    return orTemplate
      ? wrongType(
          node,
          types.filter(one => one !== 'string'),
        )
      : problemAt(node, 'wrong-text', sentence('{0} {1}.', nameOf(node), sentence('does not match {0}', pattern)));
  }
  const { minLength, minItems, minProperties, minimum, maximum } = schema as Readonly<Record<string, number | undefined>>;
  if (node.type === 'string' && minLength !== undefined && String(node.value).length < minLength)
    return problemAt(node, 'empty', sentence('{0} must not be empty.', nameOf(node)));
  if (node.type === 'array' && minItems !== undefined && size < minItems)
    return problemAt(node, 'empty', sentence('{0} must not be empty.', nameOf(node)));
  if (node.type === 'object' && minProperties !== undefined && size < minProperties)
    return problemAt(node, 'empty', sentence('{0} must not be empty.', nameOf(node)));
  if (node.type === 'number' && minimum !== undefined && node.value < minimum)
    return problemAt(node, 'out-of-range', sentence('{0} must be at least {1}.', nameOf(node), minimum));
  if (node.type === 'number' && maximum !== undefined && node.value > maximum)
    return problemAt(node, 'out-of-range', sentence('{0} must be at most {1}.', nameOf(node), maximum));
  return undefined;
}

function members(
  node: JsonNode,
  { properties = {}, additionalProperties, required = [] }: JsonSchema,
  at: At,
  found: RequestProblem[],
): void {
  const written = membersOf(node);
  // Schemas of conditions name only a few members.
  const examined = additionalProperties === undefined ? Object.keys(properties).flatMap(name => memberOf(node, name) ?? []) : written;
  for (const { name, nameRange, value } of examined) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined && additionalProperties === false && found.length < maxUnknownKeys)
      found.push(unknownKey(name, nameRange, Object.keys(properties), at));
    const schema = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (schema !== undefined && value !== undefined) visit(value, schema, at, found);
  }
  for (const name of required) {
    if (memberOf(node, name) === undefined)
      found.push(
        at.probing
          ? unread
          : {
              ...problemAt(node, 'missing-key', sentence('{0} has no "{1}".', nameOf(node), name)),
              range: { offset: node.offset, length: 1 },
            },
      );
  }
}

function unknownKey(name: string, range: RequestProblem['range'], keys: readonly string[], { extensible }: At): RequestProblem {
  const like = closestMatch(name, keys);
  const open = extensible && like === undefined;
  const what =
    like !== undefined
      ? sentence('Unknown key "{0}". Did you mean "{1}"?', name, like)
      : open
        ? sentence('A2A has no member "{0}" here. It is sent as it is.', name)
        : sentence('Unknown key "{0}". Available: {1}.', name, listed(keys));
  return {
    code: 'unknown-key',
    range,
    severity: open ? 'warning' : 'error',
    sentence: what,
    alternatives: like === undefined ? [] : [like],
  };
}

function unknownValue(node: JsonNode, values: readonly unknown[]): RequestProblem {
  const written = brief(valueOf(node));
  const texts = values.map(String);
  const like = node.type === 'string' ? closestMatch(String(node.value), texts) : undefined;
  return {
    ...problemAt(
      node,
      'unknown-value',
      like === undefined
        ? sentence('{0} cannot be {1}. Allowed: {2}.', nameOf(node), written, listed(texts))
        : sentence('{0} cannot be {1}. Did you mean "{2}"? Allowed: {3}.', nameOf(node), written, like, listed(texts)),
    ),
    alternatives: like === undefined ? [] : [like],
  };
}

/** Where all alternatives fail, reports the problems of the one that was most likely meant. Several enums are reported as one list. */
function alternatives(node: JsonNode, schemas: readonly JsonSchema[], at: At, found: RequestProblem[]): void {
  if (isTemplate(node) || schemas.some(schema => fits(node, schema, at))) return;
  if (at.probing) return void found.push(unread);
  const tried = schemas.map(schema => {
    const problems: RequestProblem[] = [];
    visit(node, schema, at, problems);
    return { schema, problems };
  });
  if (tried.some(({ problems }) => problems.every(({ severity }) => severity !== 'error'))) return;
  const values = schemas.flatMap(schema => referred(schema, at.root).enum ?? []);
  const ofKind = tried.filter(
    ({ problems }) =>
      !problems.some(({ code, range }) => code === 'wrong-type' && range.offset === node.offset && range.length === node.length),
  );
  if (node.type === 'string' && values.length > 0) found.push(unknownValue(node, values));
  else if (ofKind.length === 0) found.push(wrongType(node, [...new Set(schemas.flatMap(schema => typesOf(schema, at.root)))]));
  else found.push(...ofKind.reduce((best, one) => (one.problems.length < best.problems.length ? one : best)).problems);
}

const typesOf = (schema: JsonSchema, root: JsonSchema): readonly string[] => {
  const { type, pattern, anyOf: inner = [] } = referred(schema, root);
  const types = type === undefined ? inner.flatMap(one => typesOf(one, root)) : [type].flat();
  // That a template may be written there is no news.
  return pattern === template && types.length > 1 ? types.filter(one => one !== 'string') : types;
};

const referred = (schema: JsonSchema, root: JsonSchema): JsonSchema =>
  typeof schema['$ref'] === 'string' ? definition(schema['$ref'], root) : schema;

const wrongType = (node: JsonNode, types: readonly string[]): RequestProblem =>
  problemAt(node, 'wrong-type', sentence('{0} must be {1}, not {2}.', nameOf(node), anyOfTypes(types), typeWords[node.type] ?? node.type));

/** The name of a value for people: its key, with the position in a list. */
function nameOf(node: JsonNode): LocalizedMessage | string {
  const steps: string[] = [];
  let at = node;
  for (; at.parent?.type === 'array'; at = at.parent) steps.unshift(`[${at.parent.children?.findIndex(item => item === at) ?? 0}]`);
  const key = at.parent?.type === 'property' ? String(at.parent.children?.[0]?.value) : undefined;
  return key === undefined ? sentence('The file') : `"${key}${steps.join('')}"`;
}

function isOfType(node: JsonNode, type: string): boolean {
  return type === 'integer' ? node.type === 'number' && Number.isInteger(node.value) : node.type === type;
}
