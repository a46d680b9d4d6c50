import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence } from '../../protocol/problem.ts';
import type { SuggestedFix } from './diagnosis.ts';

/** Names all of the interface, so that it stays what it is when the card changes. */
const change = ({ url, protocolBinding, protocolVersion }: AgentInterface): SuggestedFix['change'] => ({
  url,
  protocolBinding,
  protocolVersion,
});

export const useAddress = (entry: AgentInterface): SuggestedFix => ({
  title: sentence('Use the address {0}', entry.url),
  change: change(entry),
});

/** Says of the interface what is not as the card has it. */
export function speak(entry: AgentInterface, instead: AgentInterface): SuggestedFix {
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
