import { isApproved, type Trust } from '../client/http/origin.ts';
import type { OfferedInterface } from '../client/interfaces/offeredInterface.ts';
import type { AgentCard, AgentInterface } from '../protocol/card/agentCard.ts';
import { hint, listOf, Problem, sentence, type LocalizedMessage } from '../protocol/problem.ts';
import { ruleIds, type RuleId } from '../protocol/ruleId.ts';
import { rules } from './rules/index.ts';
import { isRuleVersion } from './rules/rule/answerView.ts';
import { holdsFor } from './rules/rule/rule.ts';
import { versionOf } from '../protocol/versions/index.ts';
import type { CheckedInterface } from './checkReport.ts';

/** The version that rules know; empty for one that none is about. */
export const versionIn = ({ protocolVersion }: AgentInterface): string => versionOf(protocolVersion)?.protocolVersion ?? '';

/** True if a rule covers the interface. */
export const holds = (id: RuleId, entry: AgentInterface): boolean => holdsFor(rules[id], versionIn(entry), entry.protocolBinding);

/** Most interfaces of a card that are checked: each takes a hundred requests. */
const maxInterfaces = 20;

/**
 * The obstacle to checking each interface; undefined if there is none. Where there are very many interfaces, the first ones are checked.
 */
export function obstaclesOf(offered: readonly OfferedInterface[], trust: Trust): readonly (LocalizedMessage | undefined)[] {
  let left = maxInterfaces;
  return offered.map(({ interface: entry, obstacle }) => {
    const own = obstacle ?? obstacleOf(entry, trust);
    return own ?? (left-- > 0 ? undefined : sentence('Only the first {0} interfaces are checked.', maxInterfaces));
  });
}

function obstacleOf(entry: AgentInterface, trust: Trust): LocalizedMessage | undefined {
  if (!isRuleVersion(versionIn(entry))) return sentence('No rule applies to A2A {0}.', entry.protocolVersion);
  if (isApproved(new URL(entry.url), trust)) return undefined;
  return hint(
    sentence("Nothing was sent to {0}: it is not the agent's origin and was not allowed.", new URL(entry.url).origin),
    'Nothing was sent to {0}, which is not the origin of the agent. Allow it with --allow-origin.',
  );
}

/** That there is none to check, with what stands in the way of the first. */
export function noInterface(obstacles: readonly (LocalizedMessage | undefined)[], { supportedInterfaces }: AgentCard): Problem {
  const [first] = obstacles.filter(each => each !== undefined);
  return first === undefined
    ? new Problem(
        'no-interface',
        sentence(
          'The card has no such interface. It has: {0}.',
          supportedInterfaces.length === 0
            ? '-'
            : listOf(supportedInterfaces.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`)),
        ),
      )
    : new Problem('no-interface', sentence('There is no interface to check. {0}', first));
}

/** Rules that pre-0.3 versions share with later ones. */
const rulesOf = (entry: AgentInterface): number => ruleIds.filter(id => holds(id, entry)).length;

/** The interface as reports have it. @param remark what is to be known of it, if anything came of the run */
export function interfaceOf(
  entry: AgentInterface,
  obstacle: LocalizedMessage | undefined,
  remark: LocalizedMessage | undefined,
): CheckedInterface {
  const { protocolBinding, protocolVersion, url } = entry;
  const isOld = versionIn(entry) === '0.2' || versionIn(entry) === '0.1';
  return {
    protocolBinding,
    protocolVersion,
    url,
    ...(obstacle !== undefined && { obstacle }),
    ...(remark !== undefined && { remark }),
    ...(obstacle === undefined &&
      remark === undefined &&
      isOld && {
        remark: sentence('A2A {0} is older than most rules: {1} of {2} apply to it.', protocolVersion, rulesOf(entry), ruleIds.length),
      }),
  };
}
