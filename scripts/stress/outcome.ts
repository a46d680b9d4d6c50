import type { Counts, FigureLine } from '../../test/support/figure.ts';
import type { Target, Wanted } from '../../test/support/targets.ts';

/** The result of one run of a target's tests. */
export interface Outcome {
  readonly counts: Counts;
  /** Figures that the tests reported. */
  readonly said: readonly string[];
  /** Decoys (planted faults) that the tests detected. */
  readonly caught: readonly string[];
  /** Why the target is missed; empty where it is met. */
  readonly missed: readonly string[];
}

/** How the tests themselves ended. */
export interface Ended {
  readonly passed: number;
  /** Titles of failed tests, or why none ran. */
  readonly failures: readonly string[];
}

/** Evaluates a target. Missing counts, undetected decoys, failed tests and a run without tests are misses. */
export function outcomeOf(target: Target, lines: readonly FigureLine[], { passed, failures }: Ended): Outcome {
  const counts: Record<string, number> = {};
  for (const line of lines) {
    for (const [name, count] of 'counts' in line ? Object.entries(line.counts) : [])
      counts[name] = together(counts[name], count, target.wants[name]);
  }
  const caught = target.decoys.filter(decoy => lines.some(line => 'decoy' in line && line.decoy === decoy));
  const missed = [
    ...failures.map(title => `failed: ${title}`),
    ...(passed === 0 && failures.length === 0 ? ['no test ran'] : []),
    ...Object.entries(target.wants).flatMap(([name, wanted]) => missOf(name, counts[name], wanted)),
    ...target.decoys.filter(decoy => !caught.includes(decoy)).map(decoy => `not caught: ${decoy}`),
  ];
  return { counts, said: lines.flatMap(line => ('said' in line ? [line.said] : [])), caught, missed };
}

function together(before: number | undefined, count: number, wanted: Wanted | undefined): number {
  if (before === undefined) return count;
  return wanted !== undefined && 'atMost' in wanted && wanted.atMost > 0 ? Math.max(before, count) : before + count;
}

function missOf(name: string, count: number | undefined, wanted: Wanted): string[] {
  if (count === undefined) return [`no figure: ${name}`];
  // Written so that NaN is a miss, too.
  const holds = 'atLeast' in wanted ? count >= wanted.atLeast : count <= wanted.atMost;
  return holds ? [] : [`${name}: ${numberText(count)}, wanted ${wantedText(wanted)}`];
}

/** A number for people: 10,000 and 12.5. */
export const numberText = (count: number): string => count.toLocaleString('en', { maximumFractionDigits: 2 });

export const wantedText = (wanted: Wanted): string =>
  'atLeast' in wanted ? `at least ${numberText(wanted.atLeast)}` : wanted.atMost === 0 ? 'none' : `at most ${numberText(wanted.atMost)}`;
