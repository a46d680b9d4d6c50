import type { FindingLine } from '../../chat/host/chatState.ts';
import { type Finding, findingSentence, shapeIn } from '../../protocol/finding.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import { ruleOf } from '../../conformance/rules/loadedRules.ts';
import { citationOf } from '../../conformance/rules/rule/rule.ts';

/** Returns a sentence in VS Code's display language. */
export type Translate = (sentence: LocalizedMessage) => string;

/** The title of a rule; empty for a rule that no longer exists. */
export function ruleTitle(id: string, translate: Translate): string {
  const rule = ruleOf(id);
  return rule === undefined ? '' : translate({ template: rule.title, args: [] });
}

/** Longest line, in characters: agents decide what a finding quotes. */
const maxLength = 500;
/** Maximum number of texts of events that were not applied. */
const maxIgnored = 10;

/** The version whose specification the findings of an exchange cite: that of the answer's shape, else the one in use. */
export const citedVersion = (findings: readonly Finding[], protocolVersion: string): string => shapeIn(findings) ?? protocolVersion;

/**
 * Findings of one exchange to show: one line for each rule and text, with a count.
 * @param protocolVersion of the interface in use
 */
export function findingLines(findings: readonly Finding[], translate: Translate, protocolVersion = '1.0'): readonly FindingLine[] {
  const version = citedVersion(findings, protocolVersion);
  const lines = new Map<string, FindingLine>();
  for (const [index, finding] of findings.entries()) {
    const { rule, pointer, frame, times = 1, alsoIn = [] } = finding;
    const events = frame === undefined ? [] : [frame, ...alsoIn];
    const text = translate(findingSentence(finding)).slice(0, maxLength);
    const key = `${rule} ${text}`;
    const line = lines.get(key);
    const known = ruleOf(rule);
    const ignoredTexts = [...(line?.ignoredTexts ?? []), finding.ignoredText?.slice(0, maxLength) ?? '']
      .filter(Boolean)
      .slice(0, maxIgnored);
    lines.set(
      key,
      line !== undefined
        ? {
            ...line,
            times: line.times + times,
            ...(ignoredTexts.length > 0 && { ignoredTexts }),
            ...(events.length > 0 && { events: [...(line.events ?? []), ...events] }),
          }
        : {
            rule,
            title: ruleTitle(rule, translate),
            ...(known && citationOf(known, version)),
            level: known?.level,
            pointer: pointer.slice(0, maxLength),
            message: text,
            finding: index,
            times,
            ...(ignoredTexts.length > 0 && { ignoredTexts }),
            ...(events.length > 0 && { events }),
          },
    );
  }
  return [...lines.values()];
}
