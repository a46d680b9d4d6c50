import type { AgentCard } from './agentCard.ts';
import { isObject } from './json.ts';
import { sentence, type Sentence } from './problem.ts';
import { quoted } from './quoted.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Where a value departs from a schema, with an RFC 6901 pointer into the value; what is there is the subject of the words, which quote the schema. */
export interface SchemaFault {
  readonly pointer: string;
  readonly what: Sentence;
}

/**
 * The JSON Schema of what the agent takes: the member `schema.input` of the cards of task APIs, which reading a card keeps in its place.
 * Undefined where the card has none.
 */
export function inputSchemaOf(card: AgentCard): Schema | undefined {
  const { schema } = card as AgentCard & { readonly schema?: unknown };
  return isObject(schema) && isObject(schema['input']) ? schema['input'] : undefined;
}

/** The names of the members that the schema requires, as far as it says so at its top. */
export const requiredMembers = (schema: Schema): readonly string[] => strings(schema['required']);

/** An object with the members that the schema requires, empty values of the right types: something to start from. */
export function exampleOf(schema: Schema): Readonly<Record<string, unknown>> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = requiredMembers(schema);
  const names = required.length > 0 ? required : Object.keys(properties);
  return Object.fromEntries(names.slice(0, maxFaults).map(name => [name, emptyValue(Object.hasOwn(properties, name) ? properties[name] : undefined)]));
}

function emptyValue(schema: unknown): unknown {
  if (!isObject(schema)) return '';
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] ?? null;
  const [type] = typesOf(schema);
  return type === undefined || !Object.hasOwn(empties, type) ? '' : empties[type];
}

const empties: Readonly<Record<string, unknown>> = { string: '', number: 0, integer: 0, boolean: false, null: null, array: [], object: {} };

/** Most faults that are told, and most values that are looked at: a schema comes from a stranger. */
const maxFaults = 20;
const maxChecks = 10_000;

/**
 * What of a value breaks a schema (JSON Schema 2020-12 and draft-07, the keywords of data that people write: type, enum, const, properties,
 * required, additionalProperties, items, limits of numbers, lengths and counts, anyOf, oneOf, allOf, local `$ref`). The agent has the last word,
 * so a keyword that is not known here is not checked; patterns are not either, since a stranger's expression can take for ever.
 */
export function schemaFaults(schema: unknown, value: unknown): readonly SchemaFault[] {
  const check = new Check(schema);
  check.value(schema, value, '');
  return check.faults;
}

class Check {
  readonly faults: SchemaFault[] = [];
  readonly #root: unknown;
  #left = maxChecks;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** `depth` counts schemas that apply to one value: references may go in a circle. */
  value(schema: unknown, value: unknown, pointer: string, depth = 0): void {
    if (schema === false) this.#fault(pointer, sentence('is not allowed'));
    if (!isObject(schema) || depth > 32 || this.#left-- <= 0) return;
    this.#kind(schema, value, pointer);
    if (isObject(value)) this.#object(schema, value, pointer);
    else if (Array.isArray(value)) this.#array(schema, value, pointer);
    else limits(schema, value).forEach(what => this.#fault(pointer, what));
    this.#combined(schema, value, pointer, depth);
  }

  #fault(pointer: string, what: Sentence): void {
    if (this.faults.length < maxFaults) this.faults.push({ pointer, what });
  }

  #kind(schema: Schema, value: unknown, pointer: string): void {
    const types = typesOf(schema);
    if (types.length > 0 && !types.some(type => isOfType(type, value))) this.#fault(pointer, sentence('should be {0}, not {1}', types.join(' | '), quoted(value, 60)));
    if ('const' in schema && !same(schema['const'], value)) this.#fault(pointer, sentence('should be {0}', quoted(schema['const'], 60)));
    const allowed = schema['enum'];
    if (Array.isArray(allowed) && !allowed.some(one => same(one, value))) this.#fault(pointer, sentence('should be one of {0}', quoted(allowed)));
  }

  #object(schema: Schema, value: Readonly<Record<string, unknown>>, pointer: string): void {
    for (const name of strings(schema['required'])) {
      if (!Object.hasOwn(value, name)) this.#fault(`${pointer}/${step(name)}`, sentence('is missing'));
    }
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const others = 'patternProperties' in schema ? undefined : schema['additionalProperties'];
    for (const [name, inner] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name);
      if (!known && others === false) this.#fault(`${pointer}/${step(name)}`, sentence('is not a member that the agent takes'));
      else this.value(known ? properties[name] : others, inner, `${pointer}/${step(name)}`);
    }
  }

  #array(schema: Schema, value: readonly unknown[], pointer: string): void {
    const { minItems, maxItems, items } = schema;
    if (typeof minItems === 'number' && value.length < minItems) this.#fault(pointer, sentence('should have at least {0} items', minItems));
    if (typeof maxItems === 'number' && value.length > maxItems) this.#fault(pointer, sentence('should have at most {0} items', maxItems));
    if (!('prefixItems' in schema)) value.forEach((item, index) => this.value(items, item, `${pointer}/${index}`));
  }

  #combined(schema: Schema, value: unknown, pointer: string, depth: number): void {
    const reference = schema['$ref'];
    if (typeof reference === 'string') this.value(this.#referred(reference), value, pointer, depth + 1);
    for (const all of list(schema['allOf'])) this.value(all, value, pointer, depth + 1);
    for (const name of ['anyOf', 'oneOf']) {
      const branches = list(schema[name]);
      if (branches.length === 0 || branches.some(branch => this.#fits(branch, value, depth + 1))) continue;
      this.#fault(pointer, sentence('fits none of the {0} forms that the agent takes', branches.length));
    }
  }

  #fits(schema: unknown, value: unknown, depth: number): boolean {
    const check = new Check(this.#root);
    check.#left = this.#left;
    check.value(schema, value, '', depth);
    this.#left = check.#left;
    return check.faults.length === 0;
  }

  /** Undefined for what is not in this schema: it is not fetched from anywhere. */
  #referred(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    return reference.slice(1).split('/').filter(Boolean).reduce<unknown>((at, name) => {
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
      return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }, this.#root);
  }
}

/** Keywords that limit a number or a text, and how they read. */
const comparisons: Readonly<Record<string, { readonly holds: (size: number, limit: number) => boolean; readonly reads: (limit: number) => Sentence; readonly of: 'number' | 'string' }>> = {
  minimum: { holds: (size, limit) => size >= limit, reads: limit => sentence('should be at least {0}', limit), of: 'number' },
  maximum: { holds: (size, limit) => size <= limit, reads: limit => sentence('should be at most {0}', limit), of: 'number' },
  exclusiveMinimum: { holds: (size, limit) => size > limit, reads: limit => sentence('should be more than {0}', limit), of: 'number' },
  exclusiveMaximum: { holds: (size, limit) => size < limit, reads: limit => sentence('should be less than {0}', limit), of: 'number' },
  minLength: { holds: (size, limit) => size >= limit, reads: limit => sentence('should be at least {0} characters long', limit), of: 'string' },
  maxLength: { holds: (size, limit) => size <= limit, reads: limit => sentence('should be at most {0} characters long', limit), of: 'string' },
};

function limits(schema: Schema, value: unknown): Sentence[] {
  return Object.entries(comparisons).flatMap(([keyword, { holds, reads, of }]) => {
    const limit = schema[keyword];
    if (typeof limit !== 'number' || typeof value !== of) return [];
    // Lengths count characters, not UTF-16 units.
    const size = typeof value === 'string' ? [...value].length : value as number;
    return holds(size, limit) ? [] : [reads(limit)];
  });
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const strings = (value: unknown): readonly string[] => list(value).filter(item => typeof item === 'string');
const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : strings(type));
const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object': return isObject(value);
    case 'array': return Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    case 'null': return value === null;
    case 'string': case 'number': case 'boolean': return typeof value === type;
    // A word that JSON Schema does not have says nothing that could be checked.
    default: return true;
  }
}

/** Equal as JSON values, whatever the order of members. */
function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other) || one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((item, index) => same(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every(name => Object.hasOwn(other, name) && same(one[name], other[name]));
}
