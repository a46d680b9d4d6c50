import { Problem, sentence } from './problem.ts';

/** Deepest nesting that is read. Whatever walks a value later (storing, comparing, printing) does so on a stack that ends. */
export const maxNesting = 256;

/** Refuses a value that is nested deeper than `maxNesting`. @throws Problem `nested-too-deeply` */
export function requireShallow(value: unknown): void {
  if (isShallow(value)) return;
  throw new Problem('nested-too-deeply', sentence('The agent\'s answer is nested more than {0} levels deep, the most that is read.', maxNesting), {
    nextStep: sentence('Open the exchange to see the answer as it was on the wire.'),
  });
}

/** False for a value that is nested deeper than `maxNesting`; looks no deeper itself. */
export function isShallow(value: unknown): boolean {
  return !isNest(value) || endsWithin(value, maxNesting);
}

function endsWithin(nest: object, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(nest)) return nest.every(inner => !isNest(inner) || endsWithin(inner, levels - 1));
  for (const name in nest) {
    const inner = (nest as Readonly<Record<string, unknown>>)[name];
    if (isNest(inner) && !endsWithin(inner, levels - 1)) return false;
  }
  return true;
}

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null;
