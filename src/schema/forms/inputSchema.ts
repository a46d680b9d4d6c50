import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { isObject } from '../../protocol/json.ts';
import { strings } from './schemaLimits.ts';

type Schema = Readonly<Record<string, unknown>>;

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

/** Members of an example. */
const maxMembers = 20;

/** An object with the members that the schema requires, empty values of the right types: something to start from. */
export function exampleOf(schema: Schema): Readonly<Record<string, unknown>> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = requiredMembers(schema);
  const names = required.length > 0 ? required : Object.keys(properties);
  return Object.fromEntries(
    names.slice(0, maxMembers).map(name => [name, emptyValue(Object.hasOwn(properties, name) ? properties[name] : undefined)]),
  );
}

function emptyValue(schema: unknown): unknown {
  if (!isObject(schema)) return '';
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] ?? null;
  const [type] = typesOf(schema);
  return type === undefined || !Object.hasOwn(empties, type) ? '' : empties[type];
}

const empties: Readonly<Record<string, unknown>> = { string: '', number: 0, integer: 0, boolean: false, null: null, array: [], object: {} };

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : strings(type));
