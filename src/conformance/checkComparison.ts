import { rulesIn } from '../protocol/finding.ts';
import { sentence, type LocalizedMessage } from '../protocol/problem.ts';
import { interfaceTitle, type CheckReport, type CheckResult } from './checkReport.ts';
import type { Verdict } from './rules/rule/verdict.ts';

/** A rule over an interface whose verdict is another one than in the run before. */
interface ChangedResult {
  readonly kind: 'fixed' | 'new' | 'other';
  readonly result: CheckResult;
  readonly before: Verdict;
}

/** The differences between two runs. */
interface CheckComparison {
  /** When the other run began: milliseconds since the epoch. */
  readonly with: number;
  readonly changes: readonly ChangedResult[];
  /** How many rules, as are the others. */
  readonly fixed: number;
  readonly new: number;
  /** Failed before and were not asked this time, or not to the end, so they may fail still. */
  readonly unasked: number;
}

const isBroken = (verdict: Verdict): boolean => verdict === 'fail' || verdict === 'warn';

/**
 * A run against the one before. `fixed`: it failed and passes now; `new`: it passed and fails now; `other`: any other change, such as
 * one that could not be asked this time. What only one of the runs checked is no change. Interfaces are the same by binding, version and
 * path: agents in development change their port.
 */
export function compareChecks(before: CheckReport, now: CheckReport): CheckComparison {
  const known = new Map(before.results.map(result => [keyOf(before, result), result.verdict]));
  const changes: ChangedResult[] = [];
  for (const result of now.results) {
    const then = known.get(keyOf(now, result));
    if (then === undefined || then === result.verdict) continue;
    const kind =
      isBroken(then) && result.verdict === 'pass' ? 'fixed' : then === 'pass' && isBroken(result.verdict) ? 'new' : ('other' as const);
    changes.push({ kind, result, before: then });
  }
  const rulesWith = (holds: (change: ChangedResult) => boolean): number => rulesIn(changes.filter(holds).map(({ result }) => result));
  const count = (wanted: ChangedResult['kind']): number => rulesWith(({ kind }) => kind === wanted);
  const unasked = rulesWith(
    ({ before: then, result: { verdict } }) => isBroken(then) && (verdict === 'not-testable' || verdict === 'inconclusive'),
  );
  return { with: before.startedAt, changes, fixed: count('fixed'), new: count('new'), unasked };
}

function keyOf({ interfaces }: CheckReport, { rule, interface: index }: CheckResult): string {
  const entry = interfaces[index]!;
  const path = URL.canParse(entry.url) ? new URL(entry.url).pathname : entry.url;
  return interfaceTitle({ ...entry, url: `${path} ${rule}` });
}

/** "2 fixed, 1 new", and how many that failed were not asked this time. */
export function comparisonSentence({ fixed, new: broken, unasked }: Pick<CheckComparison, 'fixed' | 'new' | 'unasked'>): LocalizedMessage {
  if (unasked > 0)
    return fixed === 0 && broken === 0
      ? sentence('No change; failures not rechecked: {0}', unasked)
      : sentence('{0} fixed, {1} new; failures not rechecked: {2}', fixed, broken, unasked);
  return fixed === 0 && broken === 0 ? sentence('No change') : sentence('{0} fixed, {1} new', fixed, broken);
}
