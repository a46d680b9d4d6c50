import * as z from 'zod';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { template } from './templatePattern.ts';

/** A JSON schema, draft-07, with the keywords that VS Code adds. */
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
  /** Our own keyword, see `validationKeywords`: the message where the schema does not match. */
  problem?: LocalizedMessage;
  /** Our own keyword: other members are allowed here, so an unknown one is a warning. */
  extensible?: boolean;
}

/** Keywords that only our own validation reads; they are removed from the shipped schemas. */
export const validationKeywords = ['problem', 'extensible'] as const;

export const draft07 = 'http://json-schema.org/draft-07/schema#';

/**
 * The draft-07 schema of a zod type's input. Alternatives that differ in type or in one member become a single schema with conditions: for
 * a failed `anyOf` or `oneOf`, an editor guesses which alternative was meant.
 */
export function jsonSchemaOf(type: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { target: 'draft-07', io: 'input' }) as JsonSchema;
  return mapSchema(schema, tidy);
}

/** Rebuilds a schema bottom-up. */
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
  // Descriptions are Markdown; in a plain `description` an editor would show the backquotes.
  if (schema.description?.includes('`') === true) rest['markdownDescription'] = schema.description;
  if (typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER) rest['maximum'] = maximum;
  const { anyOf, oneOf, ...outer } = rest as JsonSchema;
  const alternatives = anyOf ?? oneOf;
  if (alternatives === undefined) return rest;
  const merged = byMember(alternatives) ?? byDiscriminator(alternatives) ?? byType(alternatives);
  return merged === undefined ? rest : { ...merged, ...outer };
}

/** Merges alternatives of different types into one schema: each keyword applies only to values of its own type. */
function byType(alternatives: readonly JsonSchema[]): JsonSchema | undefined {
  const types = alternatives.map(({ type }) => type);
  if (types.some(type => typeof type !== 'string') || new Set(types).size < types.length) return undefined;
  const keywords = alternatives
    .flatMap(alternative => Object.keys(alternative))
    .filter(key => !['type', 'description', 'markdownDescription'].includes(key));
  if (new Set(keywords).size < keywords.length || keywords.includes('enum')) return undefined;
  return { ...(Object.assign({}, ...alternatives) as JsonSchema), type: types as string[] };
}

/** Merges closed objects that each require one distinct member into an object with exactly one of those members. */
function byMember(alternatives: readonly JsonSchema[]): JsonSchema | undefined {
  const members = alternatives.map(({ required = [] }) => (required.length === 1 ? required[0] : undefined));
  const closed = alternatives.every(({ type, additionalProperties }) => type === 'object' && additionalProperties === false);
  if (!closed || members.includes(undefined) || new Set(members).size < members.length) return undefined;
  const names = members as string[];
  const has = (name: string): JsonSchema => ({ required: [name] });
  const list = names.join(', ');
  const none = sentence('One of these is required: {0}.', list);
  const several = sentence('Only one of these is allowed: {0}.', list);
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

/** Merges objects with a discriminator member into a schema with one condition per value of the member. */
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

const isOpen = ({ properties, additionalProperties }: JsonSchema): boolean =>
  properties === undefined && typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0;

/** A schema in which a string that is a single template is also accepted for numbers, booleans, enums and objects with any members. */
export function withTemplates(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, leaf => {
    const { type } = leaf;
    const types = type === undefined ? [] : [type].flat();
    const isFilled = types.some(one => one === 'integer' || one === 'number' || one === 'boolean') || (type === 'object' && isOpen(leaf));
    if (isFilled && !types.includes('string')) return { ...leaf, type: [...types, 'string'], pattern: template };
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

/** The description of a schema, in both forms. */
export const described = ({ description, markdownDescription }: JsonSchema = {}): JsonSchema => ({
  ...(description !== undefined && { description }),
  ...(markdownDescription !== undefined && { markdownDescription }),
});

/** A schema whose objects accept only the members that they name; objects without named members stay open. */
export function closed(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, object =>
    object.properties === undefined || object.additionalProperties !== undefined ? object : { ...object, additionalProperties: false },
  );
}

/**
 * A schema in which what is among the definitions too, values of an `enum` or members of an object, refers to them instead of standing in each
 * place again. Of a value that may be of another type as well, the object becomes an alternative.
 */
export function referring(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const known = Object.entries(definitions).map(([name, { enum: values, properties }]) => ({
    $ref: `#/definitions/${name}`,
    key: JSON.stringify(values ?? properties),
  }));
  const referenceTo = (value: unknown): string | undefined => known.find(({ key }) => key === JSON.stringify(value))?.$ref;
  return mapSchema(schema, one => {
    const { description, markdownDescription, properties, additionalProperties: _, minProperties: _min, type, ...others } = one;
    const told = described({ description, markdownDescription });
    const values = one.enum === undefined ? undefined : referenceTo(one.enum);
    if (values !== undefined) return { ...told, $ref: values };
    const members = properties === undefined ? undefined : referenceTo(properties);
    if (members === undefined) return one;
    const types = [type ?? 'object'].flat().filter(name => name !== 'object');
    return types.length === 0 ? { ...told, $ref: members } : { ...told, anyOf: [{ ...others, type: types }, { $ref: members }] };
  });
}
