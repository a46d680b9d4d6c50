import type { CheckReport } from '../../conformance/checkReport.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { rulesIn } from '../../protocol/finding.ts';
import type { Conformance } from './conformanceParts.ts';

/** A run that was kept; undefined where it is there no more, or in a form of another version of this product. */
export function keptReport({ history: { checks } }: Pick<AgentContexts, 'history'>, agent: string, id: number): CheckReport | undefined {
  const kept = checks.report(agent, id) as Partial<CheckReport> | undefined;
  return kept?.format === 1 ? (kept as CheckReport) : undefined;
}

/** Keeps a run in the history. Rejects with a `Problem` where that cannot be written. */
export async function keepRun(contexts: AgentContexts, agent: string, report: CheckReport, parts: Conformance): Promise<void> {
  const failed = rulesIn(parts.brokenMusts(report));
  const broken = rulesIn(report.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn'));
  const { end, startedAt: at } = report;
  const last = contexts.history.checks.of(agent).find(run => run.whole === 1);
  const before = last && keptReport(contexts, agent, last.id);
  // A rule that failed and was not asked this time has not been mended by that.
  const isPart = before !== undefined && parts.compareChecks(before, report).unasked > 0;
  const whole = end === 'complete' && !parts.isUndecided(report) && !isPart ? 1 : 0;
  await contexts.patiently(() => contexts.history.checks.add(agent, { at, failed, warned: broken - failed, whole }, report));
}
