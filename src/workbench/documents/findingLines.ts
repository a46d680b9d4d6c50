import type { FindingLine } from '../../chat/host/messages.ts';
import type { Finding } from '../../protocol/finding.ts';
import { findingSentence } from '../../protocol/findingSentence.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import { ruleOf } from '../../protocol/rules/index.ts';

/** A sentence in the language of the workbench. */
export type Translate = (sentence: LocalizedMessage) => string;

/** The title of a rule; empty for one that is not known any more. */
export function ruleTitle(id: string, translate: Translate): string {
  const rule = ruleOf(id);
  return rule === undefined ? '' : translate({ template: rule.title, args: [] });
}

/** What an agent may make one line hold, in characters. */
const longest = 500;

/** Findings of one exchange for people, one line a rule however often it was broken: its first finding stands for the others. */
export function findingLines(findings: readonly Finding[], translate: Translate): readonly FindingLine[] {
  const lines = new Map<string, FindingLine>();
  for (const [index, { rule, pointer, message }] of findings.entries()) {
    const line = lines.get(rule);
    lines.set(
      rule,
      line !== undefined
        ? { ...line, times: line.times + 1 }
        : {
            rule,
            title: ruleTitle(rule, translate),
            section: ruleOf(rule)?.section,
            level: ruleOf(rule)?.level,
            pointer: pointer.slice(0, longest),
            message: translate(findingSentence(message)).slice(0, longest),
            finding: index,
            times: 1,
          },
    );
  }
  return [...lines.values()];
}
