import type { AgentCard, AgentSkill } from '@a2a-js/sdk';

/** What one sample agent says about itself. */
export interface Introduction {
  readonly name: string;
  readonly description: string;
  readonly outputModes: readonly string[];
  readonly skills: readonly Pick<AgentSkill, 'id' | 'name' | 'description' | 'tags' | 'examples'>[];
}

/** The agent's card (A2A 1.0 §4.4.1): one URL that speaks JSON-RPC in the generations 1.0 and 0.3. */
export function agentCard(introduction: Introduction, url: string): AgentCard {
  const { name, description, outputModes, skills } = introduction;
  const jsonRpc = (protocolVersion: string) => ({ url, protocolBinding: 'JSONRPC', protocolVersion, tenant: '' });
  return {
    name,
    description,
    version: '1.0.0',
    // The newest generation first: the order is the agent's preference (§4.4.6).
    supportedInterfaces: [jsonRpc('1.0'), jsonRpc('0.3')],
    provider: { organization: 'A2A Workbench samples', url },
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: [...outputModes],
    skills: skills.map(skill => ({ ...skill, inputModes: [], outputModes: [], securityRequirements: [] })),
    signatures: [],
  };
}
