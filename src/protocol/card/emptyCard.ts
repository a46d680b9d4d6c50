import type { AgentCard } from './agentCard.ts';

/** A card that says nothing: what stands in for that of an agent which has none, or which was not asked for it yet. */
export const emptyCard: AgentCard = {
  name: '',
  description: '',
  version: '',
  supportedInterfaces: [],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
