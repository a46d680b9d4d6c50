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
  /** Fail now, and were not asked before, or not to the end, so they may have failed then. */
  readonly firstAsked: number;
}

const isOpen = (verdict: Verdict): boolean => verdict === 'not-testable' || verdict === 'inconclusive';
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
  const unasked = rulesWith(({ before: then, result: { verdict } }) => isBroken(then) && isOpen(verdict));
  const firstAsked = rulesWith(({ before: then, result: { verdict } }) => isOpen(then) && isBroken(verdict));
  return { with: before.startedAt, changes, fixed: count('fixed'), new: count('new'), unasked, firstAsked };
}

function keyOf({ interfaces }: CheckReport, { rule, interface: index }: CheckResult): string {
  const entry = interfaces[index]!;
  const path = URL.canParse(entry.url) ? new URL(entry.url).pathname : entry.url;
  return interfaceTitle({ ...entry, url: `${path} ${rule}` });
}

/** "2 fixed, 1 new", and how many failures were not asked this time, or not before. */
export function comparisonSentence({
  fixed,
  new: broken,
  unasked,
  firstAsked,
}: Pick<CheckComparison, 'fixed' | 'new' | 'unasked' | 'firstAsked'>): LocalizedMessage {
  const change = fixed + broken + firstAsked === 0 ? sentence('No change') : sentence('{0} fixed, {1} new', fixed, broken);
  const found = firstAsked === 0 ? change : sentence('{0}; failures not checked before: {1}', change, firstAsked);
  return unasked === 0 ? found : sentence('{0}; failures not rechecked: {1}', found, unasked);
}
