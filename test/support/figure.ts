import { appendFileSync } from 'node:fs';
import { Random } from './protocol/random.ts';
import type { TargetName, targets } from './targets.ts';

/** Counts and measurements by their names in the target; times in ms, memory in MiB, unless the name says otherwise. */
export type Counts = Readonly<Record<string, number>>;

/** One line of the file named by `A2A_FIGURES`. */
export type FigureLine =
  | { readonly target: TargetName; readonly counts: Counts; readonly said: string }
  | { readonly target: TargetName; readonly decoy: string };

/** Whether the full figures are wanted (`npm run stress`) and not the sample of a run of all tests. */
export const full = process.env['A2A_STRESS'] === 'full';

/** Where random inputs begin: 1, or what `A2A_SEED` says. A test that fails with random input names it. */
export const seed = Number(process.env['A2A_SEED'] ?? 1);

/** A share of the cases, drawn with {@link seed}, in their order; all of them with the full figures. At least one. */
export function sampleOf<T>(all: readonly T[], share = 0.1): readonly T[] {
  if (full) return all;
  const random = new Random(seed);
  const drawn = all.map((_, index) => [random.next(), index] as const).sort(([one], [other]) => one - other);
  const chosen = new Set(drawn.slice(0, Math.max(1, Math.round(all.length * share))).map(([, index]) => index));
  return all.filter((_, index) => chosen.has(index));
}

const path = process.env['A2A_FIGURES'];

function handIn(line: FigureLine): void {
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/**
 * Hands in what a test counted for a target, and prints it. Counts of the same name add up over several calls; of those that have an upper
 * bound the largest stands. Call it before the assertions, so that a miss has its figures, too.
 * @param said A sentence for people.
 */
export function figure(target: TargetName, counts: Counts, said: string): void {
  console.log(`      ${target}: ${said}`);
  handIn({ target, counts, said });
}

/** Says that the tests of a target failed with a planted flaw, as they have to. */
export function caught<Name extends TargetName>(target: Name, decoy: (typeof targets)[Name]['decoys'][number]): void {
  handIn({ target, decoy });
}
