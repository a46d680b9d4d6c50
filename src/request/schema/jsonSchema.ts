import * as z from 'zod';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** A JSON schema, draft-07, with the words VS Code adds to it. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $schema?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  doNotSuggest?: boolean;
  /** Ours, see `validationKeywords`: what to say where the schema does not hold. */
  problem?: LocalizedMessage;
  /** Ours: in here the format leaves room for members of others, so a member that nobody knows is a warning. */
  extensible?: boolean;
}

/** Keywords that only our own validation reads; they are not part of what is shipped. */
export const validationKeywords = ['problem', 'extensible'] as const;

export const draft07 = 'http://json-schema.org/draft-07/schema#';

/**
 * The draft-07 schema of what a zod type takes, shaped for people: alternatives that differ by type or by one member become a single
 * schema with conditions, because an editor reports a failed `anyOf` or `oneOf` by guessing which branch was meant.
 */
export function jsonSchemaOf(type: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { target: 'draft-07', io: 'input' }) as JsonSchema;
  return mapSchema(schema, tidy);
}

/** Rebuilds a schema from the leaves up. */
function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (value: JsonSchema): JsonSchema => mapSchema(value, change);
  const mapped: JsonSchema = { ...schema };
  if (schema.properties !== undefined) {
    mapped.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, value]) => [name, inner(value)]));
  }
  if (typeof schema.additionalProperties === 'object') mapped.additionalProperties = inner(schema.additionalProperties);
  for (const key of ['items', 'not', 'if', 'then', 'else'] as const) {
    const value = schema[key];
    if (value !== undefined) mapped[key] = inner(value);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const value = schema[key];
    if (value !== undefined) mapped[key] = value.map(inner);
  }
  return change(mapped);
}

function tidy(schema: JsonSchema): JsonSchema {
  const { propertyNames: _, maximum, ...rest } = schema;
  // Descriptions are Markdown; as plain `description` an editor would show the back-quotes.
  if (schema.description?.includes('`') === true) rest['markdownDescription'] = schema.description;
  if (typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER) rest['maximum'] = maximum;
  const { anyOf, oneOf, ...outer } = rest as JsonSchema;
  const alternatives = anyOf ?? oneOf;
  if (alternatives === undefined) return rest;
  const merged = byMember(alternatives) ?? byDiscriminator(alternatives) ?? byType(alternatives);
  return merged === undefined ? rest : { ...merged, ...outer };
}

/** Alternatives of different types: one schema, for each keyword looks only at values of its own type. */
function byType(alternatives: readonly JsonSchema[]): JsonSchema | undefined {
  const types = alternatives.map(({ type }) => type);
  if (types.some(type => typeof type !== 'string') || new Set(types).size < types.length) return undefined;
  const keywords = alternatives
    .flatMap(alternative => Object.keys(alternative))
    .filter(key => !['type', 'description', 'markdownDescription'].includes(key));
  if (new Set(keywords).size < keywords.length || keywords.includes('enum')) return undefined;
  return { ...(Object.assign({}, ...alternatives) as JsonSchema), type: types as string[] };
}

/** Closed objects that are told apart by the one member each requires: an object with exactly one of those members. */
function byMember(alternatives: readonly JsonSchema[]): JsonSchema | undefined {
  const members = alternatives.map(({ required = [] }) => (required.length === 1 ? required[0] : undefined));
  const closed = alternatives.every(({ type, additionalProperties }) => type === 'object' && additionalProperties === false);
  if (!closed || members.includes(undefined) || new Set(members).size < members.length) return undefined;
  const names = members as string[];
  const has = (name: string): JsonSchema => ({ required: [name] });
  const list = names.join(', ');
  const none = sentence('One of these must be here: {0}.', list);
  const several = sentence('Only one of these may be here: {0}.', list);
  return {
    type: 'object',
    properties: Object.assign({}, ...alternatives.map(({ properties }) => properties)) as Record<string, JsonSchema>,
    additionalProperties: false,
    allOf: [
      { if: { type: 'object', not: { anyOf: names.map(has) } }, then: { not: {}, problem: none } },
      ...names.flatMap((one, index) =>
        names.slice(index + 1).map(other => ({
          if: { type: 'object', required: [one, other] },
          then: { not: {}, problem: several },
        })),
      ),
    ],
  };
}

/** Objects that are told apart by one member with a constant each: that member, and for each of its values the rest. */
function byDiscriminator(alternatives: readonly JsonSchema[]): JsonSchema | undefined {
  const [first] = alternatives;
  const member = Object.entries(first?.properties ?? {}).find(([, { const: constant }]) => constant !== undefined)?.[0];
  if (member === undefined) return undefined;
  const constants = alternatives.map(({ properties }) => properties?.[member]?.const);
  if (constants.includes(undefined)) return undefined;
  return {
    type: 'object',
    properties: { [member]: { type: 'string', enum: constants, description: first?.properties?.[member]?.description } },
    required: [member],
    allOf: alternatives.map(({ properties = {}, required = [], ...rest }, index) => ({
      if: { properties: { [member]: { const: constants[index] } }, required: [member] },
      then: {
        ...rest,
        properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== member)),
        required: required.filter(name => name !== member),
      },
    })),
  };
}

/** The types of JSON as people call them. */
export const typeWords: Readonly<Record<string, LocalizedMessage>> = {
  string: sentence('text'),
  integer: sentence('a whole number'),
  number: sentence('a number'),
  boolean: sentence('true or false'),
  object: sentence('an object'),
  array: sentence('a list'),
  null: sentence('null'),
};

/** A string that is one template. */
export const template = '^\\{\\{.*\\}\\}$';

/** A schema of values in which a string that is one template may stand for any number, truth value or name of a list. */
export function withTemplates(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, leaf => {
    const { type } = leaf;
    if (type === 'integer' || type === 'number' || type === 'boolean') {
      return { ...leaf, type: [type, 'string'], pattern: template };
    }
    if (leaf.enum === undefined) return leaf;
    const { description, enum: values, ...rest } = leaf;
    return {
      description,
      anyOf: [
        { ...rest, description, enum: values },
        { type: 'string', pattern: template, doNotSuggest: true },
      ],
    };
  });
}

/** A schema whose objects take no other members than those they name; objects that name none stay open. */
export function closed(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, object =>
    object.properties === undefined || object.additionalProperties !== undefined ? object : { ...object, additionalProperties: false },
  );
}
