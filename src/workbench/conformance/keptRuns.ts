import type { CheckReport } from '../../conformance/checkReport.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Conformance } from './conformanceParts.ts';

/** Keeps a run in the history. Rejects with a `Problem` where that cannot be written. */
export async function keepRun(contexts: AgentContexts, agent: string, report: CheckReport, parts: Conformance): Promise<void> {
  const failed = parts.brokenMusts(report).length;
  const broken = report.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').length;
  const { end, isGone, isLocked, startedAt: at } = report;
  const { checks } = contexts.history;
  const last = checks.of(agent).find(run => run.whole === 1);
  const before = last === undefined ? undefined : (checks.report(agent, last.id) as CheckReport | undefined);
  // A rule that failed and was not asked this time has not been mended by that.
  const isPart = before !== undefined && parts.compareChecks(before, report).unasked > 0;
  const whole = end === 'complete' && isGone !== true && isLocked !== true && !isPart ? 1 : 0;
  await contexts.patiently(() => contexts.history.checks.add(agent, { at, failed, warned: broken - failed, whole }, report));
}
