import type { ShownDeviation } from '../../chat/host/conformanceMessages.ts';
import { sentence } from '../../protocol/problem.ts';
import { ruleOf } from '../../conformance/rules/loadedRules.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { translate } from '../platform/report.ts';
import { type Finding, findingSentence, levelWord } from '../../protocol/finding.ts';

/** Deviations in ordinary traffic with an agent, by rule; the latest comes first. */
export function shownDeviations(contexts: AgentContexts, agent: string): readonly ShownDeviation[] {
  const rules = new Map<string, { count: number; at: number; finding: Finding; exchangeId: string }>();
  for (const { exchangeId, startedAt, findings } of contexts.history.deviations(agent))
    for (const finding of findings) {
      const { rule, times = 1, disputed } = finding;
      if (disputed === true) continue;
      const known = rules.get(rule);
      const latest = known === undefined || startedAt >= known.at ? { at: startedAt, finding, exchangeId } : known;
      rules.set(rule, { ...latest, count: (known?.count ?? 0) + times });
    }
  return [...rules]
    .sort(([, one], [, other]) => other.at - one.at)
    .map(([rule, { count, at, finding, exchangeId }]) => {
      const row = ruleOf(rule);
      return {
        rule,
        title: row === undefined ? rule : translate(sentence(row.title)),
        level: row === undefined ? '' : translate(levelWord(row.level)),
        count,
        last: relativeTime(at),
        message: translate(findingSentence(finding)),
        exchangeId,
      };
    });
}
