import { offeredInterfaces } from '../client/interfaces/offeredInterface.ts';
import type { AgentCard } from '../protocol/card/agentCard.ts';
import type { RuleId } from '../protocol/ruleId.ts';
import { rules } from './rules/index.ts';
import { askedRules } from './rules/askedRules.ts';
import type { Made } from './rules/rule/probe.ts';
import { holdsFor, type Rule } from './rules/rule/rule.ts';
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

/** Rules whose probes make the agent work and that hold for an interface of the card, where these rules are wanted. */
export function workingRules(card: AgentCard, cardUrl: string, wanted: ReadonlySet<RuleId> | undefined): readonly RuleId[] {
  const entries = offeredInterfaces(card, cardUrl).filter(({ isSupported }) => isSupported);
  return askedRules.filter(id => {
    const rule: Rule = rules[id];
    return (
      rule.startsWork === true &&
      wanted?.has(id) !== false &&
      entries.some(({ interface: { protocolVersion, protocolBinding } }) =>
        holdsFor(rule, versionOf(protocolVersion)?.protocolVersion ?? '', protocolBinding),
      )
    );
  });
}

/** Addresses of internal networks that these rules register as webhooks, each once. */
export const registeredBy = ({ capabilities }: AgentCard, working: readonly RuleId[]): readonly string[] =>
  capabilities.pushNotifications === true ? [...new Set(working.flatMap(id => (rules[id] as Rule).registers ?? []))] : [];
