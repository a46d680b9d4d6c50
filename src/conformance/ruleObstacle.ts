import { hint, sentence } from '../protocol/problem.ts';
import type { Declared, ProbeResult } from './rules/rule/probe.ts';
import type { Rule } from './rules/rule/rule.ts';
import { noCard } from './rules/rule/unless.ts';
import { isOfCard } from './checkReport.ts';

/** The reason for a rule that was left out of a check that may start no tasks. */
export const noWork = hint(
  sentence('The check would start tasks, which was not allowed.'),
  'The check would make the agent work. Allow that with --allow-work.',
);
const noReceiver = sentence('The check needs a webhook that the agent can reach.');
const noOther = hint(
  sentence('The check needs a second identity.'),
  'The check needs a second identity. Give its credentials with --other-header.',
);

/** Means of a check besides the agent: a webhook, and a second identity. */
interface Means {
  readonly hasReceiver: boolean;
  readonly hasOther: boolean;
}

/** The verdict on a rule that cannot be asked about over an interface, even where starting tasks is allowed; undefined where it can. */
export function obstacleTo(rule: Rule, entry: Declared, { hasReceiver, hasOther }: Means): ProbeResult | undefined {
  const without = entry.noCard === true && isOfCard(rule.id) ? noCard : rule.probe?.unless?.(entry);
  if (without !== undefined) return { verdict: 'not-applicable', why: without };
  if (rule.needsReceiver === true && !hasReceiver) return { verdict: 'not-testable', why: noReceiver };
  if (rule.needsTwoIdentities === true && !hasOther) return { verdict: 'not-testable', why: noOther };
  return undefined;
}
