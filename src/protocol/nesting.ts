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

/** False for a value that is nested deeper than `maxNesting`. Goes level by level, so that it needs no stack itself. */
export function isShallow(value: unknown): boolean {
  let level: object[] = isNest(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxNesting) return false;
    const next: object[] = [];
    for (const nest of level) {
      for (const inner of Object.values(nest)) {
        if (isNest(inner)) next.push(inner);
      }
    }
    level = next;
  }
  return true;
}

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null;
