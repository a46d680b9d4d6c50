import { appendFileSync } from 'node:fs';
import type { TargetName, targets } from './targets.ts';

/** Counts and measurements by their names in the target; times in ms, memory in MiB, unless the name says otherwise. */
export type Counts = Readonly<Record<string, number>>;

/** One line of the file named by `A2A_FIGURES`. */
export type FigureLine =
  | { readonly target: TargetName; readonly counts: Counts; readonly said: string }
  | { readonly target: TargetName; readonly decoy: string };

/** Whether the full figures are wanted (`npm run stress`) and not the sample of a run of all tests. */
export const full = process.env['A2A_STRESS'] === 'full';

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
