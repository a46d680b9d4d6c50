import * as z from 'zod';
import { SecurityRequirement, SecurityScheme } from './securityScheme.ts';

const mediaTypes = z.array(z.string());

/** One address at which the agent offers one binding of one protocol version (A2A 1.0 §4.4.6). */
export const AgentInterface = z
  .object({
    url: z.string().meta({ description: 'Absolute address of the interface.' }),
    protocolBinding: z.string().meta({
      description: '`JSONRPC`, `GRPC`, `HTTP+JSON`, or the URI of a custom binding.',
      examples: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
    }),
    protocolVersion: z.string().meta({ description: 'A2A version as Major.Minor, such as `1.0`.', examples: ['1.0', '0.3'] }),
    tenant: z.string().meta({ description: 'Tenant that clients must send back with every request.' }).optional(),
  })
  .meta({ description: 'An interface of the agent. The first one is preferred.' });
export type AgentInterface = z.infer<typeof AgentInterface>;

export const AgentExtension = z.object({
  uri: z.string().meta({ description: 'URI that identifies the extension.' }),
  description: z.string().meta({ description: 'How the agent uses the extension.' }).optional(),
  required: z.boolean().meta({ description: 'Whether clients must support it.' }).optional(),
  params: z.record(z.string(), z.unknown()).meta({ description: 'Settings of the extension.' }).optional(),
});

const AgentCapabilities = z
  .object({
    streaming: z.boolean().meta({ description: 'Streams answers as server-sent events.' }).optional(),
    pushNotifications: z.boolean().meta({ description: 'Can notify a webhook of task updates.' }).optional(),
    extendedAgentCard: z.boolean().meta({ description: 'Has a fuller card for authenticated clients.' }).optional(),
    extensions: z.array(AgentExtension).meta({ description: 'Protocol extensions the agent supports.' }).optional(),
  })
  .meta({ description: 'Optional features of the protocol that the agent offers.' });

export const AgentSkill = z
  .object({
    id: z.string().meta({ description: 'Unique id of the skill.' }),
    name: z.string().meta({ description: 'Name for people.' }),
    description: z.string().meta({ description: 'What the skill does, for people and models.' }),
    tags: z.array(z.string()).meta({ description: 'Keywords.' }),
    examples: z.array(z.string()).meta({ description: 'Example prompts.' }).optional(),
    inputModes: mediaTypes.meta({ description: "Media types taken, instead of the card's defaults." }).optional(),
    outputModes: mediaTypes.meta({ description: "Media types produced, instead of the card's defaults." }).optional(),
    securityRequirements: z.array(SecurityRequirement).meta({ description: 'What using this skill needs.' }).optional(),
  })
  .meta({ description: 'Something the agent can do.' });
export type AgentSkill = z.infer<typeof AgentSkill>;

export const AgentProvider = z
  .object({
    organization: z.string().meta({ description: 'Name of the organization.' }),
    url: z.string().meta({ description: 'Its web site.' }),
  })
  .meta({ description: 'Who offers the agent.' });

export const AgentCardSignature = z.object({
  protected: z.string().meta({ description: 'JWS protected header, base64url.' }),
  signature: z.string().meta({ description: 'JWS signature, base64url.' }),
  header: z.record(z.string(), z.unknown()).meta({ description: 'JWS unprotected header.' }).optional(),
});

/** An agent card (A2A 1.0 §4.4.1). */
export const AgentCard = z
  .object({
    name: z.string().meta({ description: 'Name of the agent.' }),
    description: z.string().meta({ description: 'What the agent is for.' }),
    version: z.string().meta({ description: "The agent's own version." }),
    supportedInterfaces: z
      .array(AgentInterface)
      .min(1)
      .meta({ description: 'Where and how the agent can be reached, the preferred interface first.' }),
    provider: AgentProvider.optional(),
    documentationUrl: z.string().meta({ description: 'Documentation for people.' }).optional(),
    iconUrl: z.string().meta({ description: 'Icon of the agent.' }).optional(),
    capabilities: AgentCapabilities,
    securitySchemes: z
      .record(z.string(), SecurityScheme)
      .meta({ description: "Ways to authenticate, by a name of the card's own." })
      .optional(),
    securityRequirements: z
      .array(SecurityRequirement)
      .meta({ description: 'What every request needs: one of these, each with all its schemes.' })
      .optional(),
    defaultInputModes: mediaTypes.meta({ description: 'Media types the agent takes.', examples: [['text/plain']] }),
    defaultOutputModes: mediaTypes.meta({ description: 'Media types the agent produces.', examples: [['text/plain']] }),
    skills: z.array(AgentSkill).meta({ description: 'What the agent can do.' }),
    signatures: z.array(AgentCardSignature).meta({ description: 'Signatures over this card (A2A 1.0 §8.4).' }).optional(),
  })
  .meta({ title: 'A2A agent card 1.0', description: 'What an A2A 1.0 agent says about itself.' });
export type AgentCard = z.infer<typeof AgentCard>;
