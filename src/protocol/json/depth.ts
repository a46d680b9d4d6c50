/** Deepest nesting that is read. Values are later stored, compared and printed recursively, and the stack is limited. */
export const maxNesting = 256;

/** False for a value that is nested deeper than `levels`; does not look deeper itself. */
export function isShallow(value: unknown, levels = maxNesting): boolean {
  return !isObjectOrArray(value) || endsWithin(value, levels);
}

export const isObjectOrArray = (value: unknown): value is object => typeof value === 'object' && value !== null;

function endsWithin(nest: object, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(nest)) return nest.every(inner => !isObjectOrArray(inner) || endsWithin(inner, levels - 1));
  for (const name in nest) {
    const inner = (nest as Readonly<Record<string, unknown>>)[name];
    if (isObjectOrArray(inner) && !endsWithin(inner, levels - 1)) return false;
  }
  return true;
}
