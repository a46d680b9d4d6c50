import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import type { ChosenInterface } from '../../client/interfaces/agentInterface.ts';
import { offeredInterfaces, type OfferedInterface } from '../../client/interfaces/offeredInterface.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import { nameOf } from './agentClients.ts';

/** The interfaces of the card, and the one in use. */
export interface AgentInterfaces {
  readonly chosen: ChosenInterface | undefined;
  /** Why that one, for people. */
  readonly reason: LocalizedMessage | undefined;
  /** In the card's order; empty before there is a card. An address of the person's own is not among them. */
  readonly offered: readonly (OfferedInterface & { readonly chosen: boolean })[];
}

export function interfacesOf(chosen: ChosenInterface | undefined, resolved: ResolvedAgentCard | undefined): AgentInterfaces {
  const offered = resolved === undefined ? [] : offeredInterfaces(resolved.card, resolved.cardUrl);
  const name = chosen === undefined ? undefined : nameOf(chosen.interface);
  return { chosen, reason: chosen?.reason, offered: offered.map(each => ({ ...each, chosen: nameOf(each.interface) === name })) };
}
