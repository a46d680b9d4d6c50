import { isObject } from '../protocol/json.ts';

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Renames fields from protobuf names (`history_length`) to their JSON names; a field that already has its JSON name wins. */
const named = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const entries = Object.entries(fields);
  if (!entries.some(([name]) => name.includes('_'))) return fields;
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [camel(name), value])),
    ...Object.fromEntries(entries.filter(([name]) => !name.includes('_'))),
  };
};

/**
 * Parameters with JSON names: a ProtoJSON parser accepts protobuf names as well (A2A 1.0 §5.5). The contents of metadata and data are not
 * part of the protocol and stay unchanged.
 */
export function protoNames(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = named(params);
  const { message, configuration } = own;
  if (!isObject(message) && !isObject(configuration)) return own;
  return {
    ...own,
    ...(isObject(message) && { message: messageOf(message) }),
    ...(isObject(configuration) && { configuration: named(configuration) }),
  };
}

function messageOf(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = named(message);
  const { parts } = own;
  return Array.isArray(parts) ? { ...own, parts: parts.map((part: unknown) => (isObject(part) ? named(part) : part)) } : own;
}
