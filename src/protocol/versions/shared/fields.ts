import { type ExactNumber, isNumber } from '../../exactNumber.ts';
import { isObject } from '../../json.ts';
import type { Note } from '../../finding.ts';
import { quoted } from '../../quoted.ts';
import { sentence } from '../../problem.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads a member tolerantly: null counts as absent, a number is converted to a string, any other type is noted and ignored. */
export function optionalString(from: Fields, name: string, pointer: string, note: Note): string | undefined {
  const value = from[name];
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  note('DATA-01', `${pointer}/${name}`, sentence('{0} should be a string, not {1}.', name, isNumber(value) ? 'number' : typeof value));
  return isNumber(value) ? String(value) : undefined;
}

/** Like `optionalString`; an absent member is noted and replaced by the fallback. */
export function requiredString(from: Fields, name: string, pointer: string, note: Note, fallback: () => string): string {
  const value = optionalString(from, name, pointer, note);
  if (value !== undefined && value !== '') return value;
  note('DATA-01', `${pointer}/${name}`, sentence('{0} is missing.', name));
  return fallback();
}

/** Reads a member that is a number: null counts as absent, any other type is noted and ignored. */
export function optionalNumber(from: Fields, name: string, note: Note): number | ExactNumber | undefined {
  const value = from[name];
  if (isNumber(value)) return value;
  if (value !== undefined && value !== null)
    note('DATA-01', `/${name}`, sentence('{0} should be {1}, not {2}.', name, sentence('a number'), quoted(value)));
  return undefined;
}

/**
 * The list in an answer that is a page. ProtoJSON leaves out what is empty (A2A 1.0 §5.5, protobuf.dev/programming-guides/json), so an object
 * without the list, such as `{}`, is an empty page in every binding, although the specification has its members as required (§3.1.4): the
 * caller notes that. Undefined for any other value, and for an object that has other members and none of a page.
 */
export function listIn(page: Fields, name: string): readonly unknown[] | undefined {
  const list = page[name];
  if (Array.isArray(list)) return list;
  const members = Object.keys(page);
  const isPage = members.length === 0 || members.some(member => [name, 'nextPageToken', 'pageSize', 'totalSize'].includes(member));
  return isPage && (list === undefined || list === null) ? [] : undefined;
}

export function optionalBoolean(from: Fields, name: string): boolean | undefined {
  return typeof from[name] === 'boolean' ? from[name] : undefined;
}

export function optionalObject(from: Fields, name: string): Readonly<Record<string, unknown>> | undefined {
  return isObject(from[name]) ? from[name] : undefined;
}

export function optionalStrings(from: Fields, name: string): string[] | undefined {
  const value = from[name];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined;
}

/** The items of an array; empty for any other value. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Applies `read` to each object of a list; `pointer` is that of the list. Other items are noted and left out. */
export function mapObjects<T>(list: readonly unknown[], pointer: string, note: Note, read: (entry: Fields, pointer: string) => T): T[] {
  return list.flatMap((entry, index) => {
    if (isObject(entry)) return [read(entry, `${pointer}/${index}`)];
    note('DATA-01', `${pointer}/${index}`, sentence('{0} is not an object; it was left out.', quoted(entry)));
    return [];
  });
}

/** Removes members that are undefined, so that objects compare and print as they were sent. */
export function withoutUndefined<T extends object>(value: T): T {
  for (const name in value) {
    if (value[name] === undefined) return copyPresent(value);
  }
  return value;
}

/** A copy instead of `delete`, which makes objects slow in V8: this runs several times for each event of a stream. */
function copyPresent<T extends object>(value: T): T {
  const copy = {} as T;
  for (const name in value) {
    // Assigning `__proto__` would replace the copy's prototype with data from an agent.
    if (value[name] !== undefined && name !== '__proto__') copy[name] = value[name];
  }
  return copy;
}

/** Adds to `made` the members of `from` that are not in `known`, unchanged. Members that are undefined are left out. */
export function withUnknownMembers<T extends object>(from: Fields, known: ReadonlySet<string>, made: T): T {
  let unknown: Record<string, unknown> | undefined;
  for (const name in from) {
    if (!known.has(name) && name !== '__proto__') (unknown ??= {})[name] = from[name];
  }
  return unknown === undefined ? withoutUndefined(made) : { ...unknown, ...withoutUndefined(made) };
}

/** Applies `read` to each member of an object and leaves out those for which it returns undefined. Undefined for any other value. */
export function mapMembers<T>(value: unknown, read: (entry: unknown, name: string) => T | undefined): Record<string, T> | undefined {
  if (!isObject(value)) return undefined;
  const result: Record<string, T> = {};
  for (const name of Object.keys(value)) {
    const entry = name === '__proto__' ? undefined : read(value[name], name);
    if (entry !== undefined) result[name] = entry;
  }
  return result;
}
