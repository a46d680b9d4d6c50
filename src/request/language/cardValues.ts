import type { AgentCard } from '../../protocol/card/agentCard.ts';

/** A value from a card, with the skill it belongs to. Untrusted text. */
export interface CardValue {
  readonly value: string;
  readonly from?: string;
}

/** Media types that an agent accepts (`input`) or produces (`output`), without duplicates. */
export function mediaTypesFor(card: AgentCard | undefined, direction: 'input' | 'output'): readonly CardValue[] {
  if (card === undefined) return [];
  const ofSkill = direction === 'input' ? 'inputModes' : 'outputModes';
  const all = new Map<string, CardValue>();
  for (const value of direction === 'input' ? card.defaultInputModes : card.defaultOutputModes) all.set(value, { value });
  for (const skill of card.skills)
    for (const value of skill[ofSkill] ?? []) if (!all.has(value)) all.set(value, { value, from: skill.name });
  return [...all.values()];
}

export const skillIds = (card: AgentCard | undefined): readonly CardValue[] =>
  (card?.skills ?? []).map(({ id, name }) => ({ value: id, from: name }));
