import type { AgentCard } from './agentCard.ts';

/** An empty card, for an agent that has none, or whose card was not fetched yet. */
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
