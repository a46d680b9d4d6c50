import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { isOfPushNotifications, isStreaming, operations, type Operation } from '../../protocol/message/operations.ts';

/**
 * The operations that an agent offers according to its card (A2A 1.0 §3.1): streaming needs `capabilities.streaming`, push notifications `capabilities.pushNotifications`. All operations where
 * the card is unknown.
 */
export function offeredOperations(card: AgentCard | undefined): readonly Operation[] {
  return operations.filter(operation => offers(card, operation));
}

export const offers = (card: AgentCard | undefined, operation: Operation): boolean =>
  card === undefined ||
  (isOfPushNotifications(operation)
    ? card.capabilities.pushNotifications === true
    : card.capabilities.streaming === true || !isStreaming(operation));
