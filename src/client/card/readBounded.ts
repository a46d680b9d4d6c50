import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { Note } from '../../protocol/finding.ts';
import { readAgentCard } from '../../protocol/versions/index.ts';
import { boundedCard } from './cardBounds.ts';

/**
 * Reads a card of any version. It may be wrapped in another object, so its size is limited before and after reading.
 * @throws Problem `not-a-card`, `nested-too-deeply`
 */
export const readBounded = (value: unknown, note: Note, place: string): AgentCard =>
  boundedCard(readAgentCard(boundedCard(value, note), note, place), note);
