import { isObject } from '../../protocol/json.ts';
/** Steps into a JSON value: member names and positions in arrays (negative positions count from the end). */
export type Path = readonly (string | number)[];

const step = /\.([^\s.[\]{}'"]+)|\[(-?\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/y;

/** Parses a sequence of `.member`, `[0]`, `[-1]` and `['any name']`. Undefined where the text is not a valid path. */
export function readPath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, member, position, single, double] = match;
    path.push(position === undefined ? (member ?? single ?? double ?? '') : Number(position));
  }
  return path;
}

/** Follows a path as far as possible. `found` is the number of steps that exist; `value` is set only where all do. */
export function follow(value: unknown, path: Path): { readonly found: number; readonly value: unknown } {
  let at = value;
  for (const [index, key] of path.entries()) {
    if (typeof key === 'number') {
      const position = Array.isArray(at) && key < 0 ? at.length + key : key;
      if (!Array.isArray(at) || position < 0 || position >= at.length) return { found: index, value: undefined };
      at = at[position];
    } else {
      if (!isObject(at) || !Object.hasOwn(at, key)) return { found: index, value: undefined };
      at = at[key];
    }
    if (at === undefined) return { found: index, value: undefined };
  }
  return { found: path.length, value: at };
}

/** The path in the notation that `readPath` parses. */
export function showPath(path: Path): string {
  return path.map(key => (typeof key === 'number' ? `[${key}]` : /^[^\s.[\]{}'"]+$/.test(key) ? `.${key}` : `['${key}']`)).join('');
}
