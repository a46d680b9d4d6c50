import { ruleIds, type RuleId } from '../../protocol/ruleId.ts';
import { rules } from './index.ts';
import type { Rule } from './rule/rule.ts';

/** Probes with less of this are run first: what costs nothing, work, tasks that came of it, a webhook, a second identity. */
const effort = ({ startsWork, needsTasks, needsReceiver, needsTwoIdentities }: Rule): number =>
  needsTwoIdentities ? 4 : needsReceiver ? 3 : needsTasks ? 2 : startsWork ? 1 : 0;

/** The rules with a probe, in the order in which they are asked about. */
export const askedRules: readonly RuleId[] = ruleIds
  .filter(id => rules[id].probe !== undefined)
  .sort((one, other) => effort(rules[one]) - effort(rules[other]));
