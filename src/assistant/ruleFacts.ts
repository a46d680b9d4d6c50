import { loadRules, ruleOf } from '../conformance/rules/loadedRules.ts';
import { clauseOf } from '../conformance/rules/rule/rule.ts';
import { type Finding, findingSentence } from '../protocol/finding.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { english } from '../protocol/problem.ts';
import { writeExactly } from '../protocol/json/exactJson.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { bounds } from './bounds.ts';

/** A section with the requirements of the rules that were broken, in our own words; none where there are none. */
export async function ruleSection(broken: Iterable<string>): Promise<readonly string[]> {
  await loadRules();
  const rules = [...new Set(broken)].flatMap(id => {
    const rule = ruleOf(id);
    return rule === undefined
      ? []
      : [{ rule: id, level: rule.level, requires: rule.title, remedy: rule.remedy, clause: clauseOf(rule, '1.0') }];
  });
  return rules.length === 0 ? [] : [`Rules that were broken:\n${writeExactly(rules)}`];
}

/** Findings as data, with what was left out. They may quote the agent. */
export const findingFacts = (findings: readonly Finding[]) => ({
  findings: findings.slice(0, bounds.findings).map(finding => {
    const { rule, pointer, frame, bytes, times, disputed } = finding;
    return withoutUndefined({
      rule,
      pointer,
      message: beginningOf(english(findingSentence(finding)), bounds.piece, '…'),
      event: frame,
      bytes,
      times,
      disputed,
    });
  }),
  ...(findings.length > bounds.findings && { findingsLeftOut: findings.length - bounds.findings }),
});
