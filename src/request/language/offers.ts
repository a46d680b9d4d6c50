import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { isOfPushNotifications, isStreaming } from '../../protocol/message/operations.ts';
import { extendedCard, requestOperations, type RequestOperation } from '../text/methods.ts';

/**
 * The operations that an agent offers according to its card (A2A 1.0 §3.1): streaming needs `capabilities.streaming`, push notifications
 * `capabilities.pushNotifications`, the extended card `capabilities.extendedAgentCard`. All operations where the card is unknown.
 */
export function offeredOperations(card: AgentCard | undefined): readonly RequestOperation[] {
  return requestOperations.filter(operation => offers(card, operation));
}

export function offers(card: AgentCard | undefined, operation: RequestOperation): boolean {
  if (card === undefined) return true;
  const { streaming, pushNotifications, extendedAgentCard } = card.capabilities;
  if (operation === extendedCard) return extendedAgentCard === true;
  return isOfPushNotifications(operation) ? pushNotifications === true : streaming === true || !isStreaming(operation);
}
