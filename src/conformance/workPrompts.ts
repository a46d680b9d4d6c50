import { offeredInterfaces } from '../client/interfaces/offeredInterface.ts';
import type { AgentCard } from '../protocol/card/agentCard.ts';
import type { RuleId } from '../protocol/ruleId.ts';
import { rules } from './rules/index.ts';
import { askedRules } from './rules/askedRules.ts';
import { isRuleVersion } from './rules/rule/answerView.ts';
import type { Declared, Made } from './rules/rule/probe.ts';
import { holdsFor, type Rule } from './rules/rule/rule.ts';
import { obstacleTo } from './ruleObstacle.ts';
import { versionOf } from '../protocol/versions/index.ts';

/** The kinds of work that can be started, in the words of settings and options. */
export const madeNames: readonly Made[] = ['task', 'long-task', 'input-required', 'auth-required'];

/** Longest text that is sent to make an agent work, in UTF-16 code units. */
export const maxPrompt = 10_000;

/** A text that is sent to make the agent work. */
export interface WorkPrompt {
  readonly made: Made;
  readonly text: string;
  /** A person gave it; else it is an example of the card's. */
  readonly isGiven: boolean;
}

/** The messages that would be sent: the person's own, and for a task otherwise the first example of the card. */
export function workPrompts(card: AgentCard, given: Readonly<Partial<Record<Made, string>>>): readonly WorkPrompt[] {
  const example = card.skills.flatMap(({ examples = [] }) => examples).find(text => text.trim() !== '');
  return madeNames.flatMap((made): readonly WorkPrompt[] => {
    const text = given[made];
    if (text !== undefined) return [{ made, text, isGiven: true }];
    return made === 'task' && example !== undefined ? [{ made, text: example, isGiven: false }] : [];
  });
}

/** The text that is sent to cut the stream of its answer: work that takes a while has most to cut. */
export const resumePrompt = (prompts: readonly WorkPrompt[]): string | undefined =>
  (prompts.find(({ made }) => made === 'long-task') ?? prompts.find(({ made }) => made === 'task'))?.text;

interface CheckedCard {
  readonly card: AgentCard;
  readonly cardUrl: string;
  readonly noCard: boolean;
}

/**
 * Rules that are checked over an interface of the card only where starting tasks is allowed, among those that are wanted.
 * @param hasOther true where there is a second identity
 */
export function workingRules(
  { card, cardUrl, noCard }: CheckedCard,
  wanted: ReadonlySet<RuleId> | undefined,
  hasOther: boolean,
): readonly RuleId[] {
  const entries = offeredInterfaces(card, cardUrl).flatMap(({ isSupported, interface: entry }): Declared[] => {
    const version = versionOf(entry.protocolVersion)?.protocolVersion ?? '';
    // No rule that starts tasks compares interfaces.
    return isSupported && isRuleVersion(version) ? [{ version, interface: entry, card, noCard, siblings: () => [] }] : [];
  });
  return askedRules.filter(id => {
    const rule: Rule = rules[id];
    return (
      rule.startsWork === true &&
      wanted?.has(id) !== false &&
      entries.some(
        entry =>
          holdsFor(rule, entry.version, entry.interface.protocolBinding) &&
          obstacleTo(rule, entry, { hasReceiver: true, hasOther }) === undefined,
      )
    );
  });
}

/** Addresses of internal networks that these rules register as webhooks, each once. */
export const registeredBy = (working: readonly RuleId[]): readonly string[] => [
  ...new Set(working.flatMap(id => (rules[id] as Rule).registers ?? [])),
];
