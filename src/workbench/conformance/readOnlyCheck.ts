import * as vscode from 'vscode';
import type { CheckReport } from '../../conformance/checkReport.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import { AgentCheck } from './agentCheck.ts';
import type { ConformanceNeeds } from './conformancePages.ts';
import { keepRun } from './keptRuns.ts';

/** Checks an agent with requests that start no work, and keeps a run of all rules. Rejects with a `Problem`. */
export async function readOnlyCheck(
  agent: Agent,
  rules: readonly RuleId[] | undefined,
  { parts: load, push, contexts, onChecked }: Pick<ConformanceNeeds, 'parts' | 'push' | 'contexts' | 'onChecked'>,
  signal: AbortSignal,
): Promise<CheckReport> {
  const parts = await load();
  const check = new AgentCheck(agent, { parts, push, contexts }, () => {});
  const stop = (): void => check.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const checked = await check.prepare(rules && new Set(rules));
    const answer = { allowWork: false, prompts: agent.settings.check ?? {} };
    const report = await check.run(checked, answer, vscode.ProgressLocation.Window);
    if (rules === undefined && report.end === 'complete') {
      await keepRun(contexts, agent.name, report, parts);
      onChecked(agent.name);
    }
    return report;
  } finally {
    signal.removeEventListener('abort', stop);
    check.end();
  }
}
