import { follow, readPath, type Path } from '../text/path.ts';

/** A path in which `[*]` stands for each item of a list: the pieces between them. One piece alone leads to a single value. */
export type ListPath = readonly [Path, ...Path[]];

const each = '[*]';

/** Parses what `readPath` does, and `[*]` between its steps. Undefined where the text is no such path. */
export function readListPath(text: string): ListPath | undefined {
  const pieces: Path[] = [];
  let start = 0;
  for (let at = text.indexOf(each); at !== -1; at = text.indexOf(each, at + each.length)) {
    // Inside of a quoted name it means itself.
    const piece = readPath(text.slice(start, at));
    if (piece === undefined) continue;
    pieces.push(piece);
    start = at + each.length;
  }
  const last = readPath(text.slice(start));
  return last === undefined ? undefined : ([...pieces, last] as unknown as ListPath);
}

/**
 * The value at the path; with `[*]` a list of what is there for each item, one level deep however many `[*]` there are. Items without it
 * are left out. Undefined where there is nothing: no list where one should be, or a list of which no item has it.
 */
export function valueAt(value: unknown, path: ListPath): unknown {
  const [first, ...rest] = path;
  const start = follow(value, first).value;
  if (rest.length === 0) return start;
  let found: readonly unknown[] = [start];
  for (const piece of rest) {
    const lists = found.filter(one => Array.isArray(one)) as readonly (readonly unknown[])[];
    if (lists.length === 0) return found.length === 0 ? [] : undefined;
    const items = lists.flat();
    found = items.map(item => follow(item, piece).value).filter(one => one !== undefined);
    if (found.length === 0) return items.length === 0 ? [] : undefined;
  }
  return found;
}
