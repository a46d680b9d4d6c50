import { rulesIn } from '../protocol/finding.ts';
import { sentence, type LocalizedMessage } from '../protocol/problem.ts';
import type { RuleLevel } from '../protocol/ruleId.ts';
import { decidedWithoutAnswers, familyOf, isMust, isUndecided, type CheckReport, type CheckResult } from './checkReport.ts';
import { noWork } from './ruleObstacle.ts';
import { type Verdict, verdictOrder } from './rules/rule/verdict.ts';

/** How many rules have each verdict over some interface: a rule that fails over two interfaces is one rule that failed. */
type VerdictCounts = Readonly<Record<Verdict, number>>;

export interface SummaryRow<Key extends string> {
  readonly key: Key;
  readonly counts: VerdictCounts;
}

/** A rule with its results over the interfaces, by the index of the interface; undefined where it does not hold or was not checked. */
interface MatrixRow {
  readonly rule: string;
  readonly title: string;
  readonly level: RuleLevel;
  readonly cells: readonly (CheckResult | undefined)[];
}

interface CheckSummary {
  readonly counts: VerdictCounts;
  readonly byLevel: readonly SummaryRow<RuleLevel>[];
  readonly byFamily: readonly SummaryRow<string>[];
}

const levels: readonly RuleLevel[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'tool'];

export const countsOf = (results: readonly CheckResult[]): VerdictCounts =>
  Object.fromEntries(verdictOrder.map(wanted => [wanted, rulesIn(results.filter(({ verdict }) => verdict === wanted))])) as Record<
    Verdict,
    number
  >;

/** Counts the rules of a run, in all and by level and family. */
export function summaryOf({ results }: Pick<CheckReport, 'results'>): CheckSummary {
  const rows = <Key extends string>(keys: readonly Key[], of: (result: CheckResult) => string): readonly SummaryRow<Key>[] =>
    keys
      .map(key => ({ key, own: results.filter(result => of(result) === key) }))
      .filter(({ own }) => own.length > 0)
      .map(({ key, own }) => ({ key, counts: countsOf(own) }));
  const families = [...new Set(results.map(({ rule }) => familyOf(rule)))];
  return {
    counts: countsOf(results),
    byLevel: rows(levels, ({ level }) => level),
    byFamily: rows(families, ({ rule }) => familyOf(rule)),
  };
}

/** Rules against interfaces, in the order in which the rules come first. */
export function matrixOf({ results, interfaces }: Pick<CheckReport, 'results' | 'interfaces'>): readonly MatrixRow[] {
  const rows = new Map<string, { readonly first: CheckResult; readonly cells: (CheckResult | undefined)[] }>();
  for (const result of results) {
    const row = rows.get(result.rule) ?? { first: result, cells: interfaces.map(() => undefined) };
    row.cells[result.interface] = result;
    rows.set(result.rule, row);
  }
  return [...rows].map(([rule, { first, cells }]) => ({ rule, title: first.title, level: first.level, cells }));
}

/** Results over interfaces at whose address nothing answers, which say no more than that. */
export function unanswered({
  results,
  interfaces,
  exchanges,
}: Pick<CheckReport, 'results' | 'interfaces' | 'exchanges'>): ReadonlySet<CheckResult> {
  const answered = new Set(exchanges.filter(({ exchange }) => exchange.response !== undefined).map(({ exchange }) => exchange.id));
  return new Set(
    results.filter(
      ({ verdict, interface: index, exchangeId }) =>
        verdict === 'inconclusive' && interfaces[index]?.isGone === true && (exchangeId === undefined || !answered.has(exchangeId)),
    ),
  );
}

/** One line about the unanswered rules of the interface with this index; undefined if there are none. */
export function unansweredSentence(results: ReadonlySet<CheckResult>, index: number): LocalizedMessage | undefined {
  const count = [...results].filter(({ interface: own }) => own === index).length;
  if (count === 0) return undefined;
  return count === 1
    ? sentence('The interface did not answer: 1 rule is inconclusive for it.')
    : sentence('The interface did not answer: {0} rules are inconclusive for it.', count);
}

/** One line about the rules that were left out since they would start tasks; undefined if there are none. */
export function leftOutSentence({ results }: Pick<CheckReport, 'results'>): LocalizedMessage | undefined {
  const count = rulesIn(results.filter(({ verdict, why }) => verdict === 'not-testable' && why.template === noWork.template));
  if (count === 0) return undefined;
  return count === 1
    ? sentence('1 rule was not tested: it would start tasks.')
    : sentence('{0} rules were not tested: they would start tasks.', count);
}

/** One line about the streams of which a client that was cut off has less in the end, or never the end; undefined if there are none. */
export function lostSentence({ resume = [] }: Pick<CheckReport, 'resume'>): LocalizedMessage | undefined {
  const outcomes = resume.flatMap(result => result.cuts).map(({ outcome }) => outcome);
  const lost = outcomes.filter(outcome => outcome === 'lost').length;
  const endless = outcomes.filter(outcome => outcome === 'never ended').length;
  if (endless === 0) return lost === 0 ? undefined : sentence('{0} of {1} streams that were cut lost something.', lost, outcomes.length);
  return lost === 0
    ? sentence('After {0} of {1} cuts, the task never ended.', endless, outcomes.length)
    : sentence('Of {0} streams that were cut, {1} lost something; after {2}, the task never ended.', outcomes.length, lost, endless);
}

/** Results that say that a MUST is broken. */
export const brokenMusts = ({ results }: Pick<CheckReport, 'results'>): readonly CheckResult[] =>
  results.filter(({ verdict, level }) => verdict === 'fail' && isMust(level));

/**
 * The verdict on the agent as a whole; `nothing` where an interface gave nothing of use or the run was cut short, and nothing else shows
 * that a MUST is broken.
 */
export function outcomeOf(report: CheckReport): 'broken' | 'nothing' | 'fine' {
  const isTold = ({ rule, interface: index }: CheckResult): boolean =>
    decidedWithoutAnswers(rule) || report.interfaces[index]?.isFailing !== true;
  if (brokenMusts(report).some(isTold) || lostSentence(report) !== undefined) return 'broken';
  return report.end !== 'complete' || isUndecided(report) ? 'nothing' : 'fine';
}

/** MUSTs of which a run cannot say whether they are kept. */
export const inconclusiveMusts = ({ results }: Pick<CheckReport, 'results'>): number =>
  rulesIn(results.filter(({ verdict, level }) => verdict === 'inconclusive' && isMust(level)));
