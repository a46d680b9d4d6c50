import type { CheckReport } from '../../conformance/checkReport.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Conformance } from './conformanceParts.ts';

/** Keeps a run in the history. Rejects with a `Problem` where that cannot be written. */
export async function keepRun(contexts: AgentContexts, agent: string, report: CheckReport, parts: Conformance): Promise<void> {
  const failed = parts.brokenMusts(report).length;
  const broken = report.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').length;
  const { end, isGone, isLocked, startedAt: at } = report;
  const whole = end === 'complete' && isGone !== true && isLocked !== true ? 1 : 0;
  await contexts.patiently(() => contexts.history.checks.add(agent, { at, failed, warned: broken - failed, whole }, report));
}
