import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence } from '../../protocol/problem.ts';
import type { SuggestedFix } from './diagnosis.ts';

/** All members of the interface, so that the setting keeps its meaning when the card changes. */
const change = ({ url, protocolBinding, protocolVersion }: AgentInterface): SuggestedFix['change'] => ({
  url,
  protocolBinding,
  protocolVersion,
});

export const useAddress = (entry: AgentInterface): SuggestedFix => ({
  title: sentence('Use the address {0}', entry.url),
  change: change(entry),
});

/** The fix that sets what differs from the card's interface. */
export function useInterface(entry: AgentInterface, instead: AgentInterface): SuggestedFix {
  if (entry.url !== instead.url && entry.protocolVersion === instead.protocolVersion && entry.protocolBinding === instead.protocolBinding)
    return useAddress(entry);
  return {
    title:
      entry.url === instead.url
        ? sentence('Use {0} {1} for This Agent', entry.protocolBinding, entry.protocolVersion)
        : sentence('Use {0} {1} at {2} for This Agent', entry.protocolBinding, entry.protocolVersion, entry.url),
    change: change(entry),
  };
}
