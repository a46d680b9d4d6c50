import { isObjectOrArray } from '../../protocol/json/depth.ts';

/** An object or a list. */
export type JsonContainer = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Similar objects as a table: their members are the columns. */
interface JsonTable {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Maximum number of columns; objects with more members read better as a tree. */
const maxColumns = 1_000;
/** Number of rows that decide whether it is a table, and those whose members are looked at for further columns. */
const sampled = 200;
const looked = 20_000;
/** Maximum number of tree lines expanded at first. */
const openAtFirst = 24;

export const isContainer = (value: unknown): value is JsonContainer => isObjectOrArray(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isContainer(value) && !Array.isArray(value);

/** Number of direct members or items. */
export const sizeOfContainer = (value: JsonContainer): number => (Array.isArray(value) ? value.length : Object.keys(value).length);

/** Names and values of members or items, at most `limit`. */
export function childrenOf(value: JsonContainer, limit: number): readonly (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((item, index) => [String(index), item]);
  return Object.keys(value)
    .slice(0, limit)
    .map(name => [name, (value as Readonly<Record<string, unknown>>)[name]]);
}

/**
 * A list of two or more objects with plain values that share most of their members, as a table; undefined for other values, which are
 * better shown as a tree.
 */
export function tableOf(value: unknown): JsonTable | undefined {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isRecord)) return undefined;
  const rows = value.slice(0, sampled);
  const counts = new Map<string, number>();
  let cells = 0;
  let branches = 0;
  for (const row of rows) {
    for (const name of Object.keys(row).slice(0, maxColumns + 1)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      cells++;
      if (isContainer(row[name])) branches++;
    }
  }
  const columns = [...counts.keys()];
  if (columns.length === 0 || columns.length > maxColumns || cells < (columns.length * rows.length) / 2 || branches > cells / 4)
    return undefined;
  const all = new Set(columns);
  for (const row of value.slice(sampled, looked)) for (const name of Object.keys(row)) if (all.size < maxColumns) all.add(name);
  return { columns: [...all], rows: value };
}

/** Paths of the branches expanded at first: outer ones first, as long as few lines are shown. */
export function initiallyOpenPaths(value: unknown): ReadonlySet<string> {
  const open = new Set<string>();
  const waiting: (readonly [path: string, value: unknown])[] = [['', value]];
  let lines = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [path, branch] = next;
    if (!isContainer(branch)) continue;
    const size = sizeOfContainer(branch);
    // The root is always expanded.
    if (path !== '' && lines + size > openAtFirst) continue;
    lines += size;
    open.add(path);
    for (const [name, child] of childrenOf(branch, openAtFirst)) waiting.push([childPointer(path, name), child]);
  }
  return open;
}

/** Appends a member to an RFC 6901 pointer. */
export const childPointer = (path: string, name: string): string => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
