/** Deepest nesting that is read. Whatever walks a value later (storing, comparing, printing) does so on a stack that ends. */
export const maxNesting = 256;

/** False for a value that is nested deeper than `levels`; looks no deeper itself. */
export function isShallow(value: unknown, levels = maxNesting): boolean {
  return !isNest(value) || endsWithin(value, levels);
}

export const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null;

function endsWithin(nest: object, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(nest)) return nest.every(inner => !isNest(inner) || endsWithin(inner, levels - 1));
  for (const name in nest) {
    const inner = (nest as Readonly<Record<string, unknown>>)[name];
    if (isNest(inner) && !endsWithin(inner, levels - 1)) return false;
  }
  return true;
}
