import { z } from 'zod';

const description = z.string().optional();
const scopes = z.record(z.string(), z.string());
const refreshUrl = z.string().optional();

const OAuthFlows = z.object({
  authorizationCode: z.object({ authorizationUrl: z.string(), tokenUrl: z.string(), refreshUrl, scopes }).optional(),
  clientCredentials: z.object({ tokenUrl: z.string(), refreshUrl, scopes }).optional(),
  implicit: z.object({ authorizationUrl: z.string(), refreshUrl, scopes }).optional(),
  password: z.object({ tokenUrl: z.string(), refreshUrl, scopes }).optional(),
});

/** Security scheme as 0.2 and 0.3 write it: OpenAPI's, told apart by `type` (0.3 §5.5.3). */
export const SecurityScheme0_3 = z.discriminatedUnion('type', [
  z.object({ type: z.literal('apiKey'), in: z.enum(['query', 'header', 'cookie']), name: z.string(), description }),
  z.object({ type: z.literal('http'), scheme: z.string(), bearerFormat: z.string().optional(), description }),
  z.object({ type: z.literal('oauth2'), flows: OAuthFlows, oauth2MetadataUrl: z.string().optional(), description }),
  z.object({ type: z.literal('openIdConnect'), openIdConnectUrl: z.string(), description }),
  z.object({ type: z.literal('mutualTLS'), description }),
]);
export type SecurityScheme0_3 = z.infer<typeof SecurityScheme0_3>;

export const Security0_3 = z.array(z.record(z.string(), z.array(z.string())));

/** The agent card of A2A 0.3 (§5.5). */
export const AgentCard0_3 = z.object({
  protocolVersion: z.string().meta({ description: 'A2A version the agent speaks, such as `0.3.0`.', examples: ['0.3.0'] }),
  name: z.string().meta({ description: 'Name of the agent.' }),
  description: z.string().meta({ description: 'What the agent is for.' }),
  version: z.string().meta({ description: 'The agent\'s own version.' }),
  url: z.string().meta({ description: 'Endpoint of the preferred transport.' }),
  preferredTransport: z.string()
    .meta({ description: 'What `url` speaks: `JSONRPC` (the default), `GRPC` or `HTTP+JSON`.', examples: ['JSONRPC'] }).optional(),
  additionalInterfaces: z.array(z.object({
    url: z.string().meta({ description: 'Address of the interface.' }),
    transport: z.string().meta({ description: '`JSONRPC`, `GRPC` or `HTTP+JSON`.' }),
  })).meta({ description: 'More addresses and transports of the same agent.' }).optional(),
  provider: z.object({ organization: z.string(), url: z.string() }).meta({ description: 'Who offers the agent.' }).optional(),
  documentationUrl: z.string().meta({ description: 'Documentation for people.' }).optional(),
  iconUrl: z.string().meta({ description: 'Icon of the agent.' }).optional(),
  capabilities: z.object({
    streaming: z.boolean().meta({ description: 'Streams answers as server-sent events.' }).optional(),
    pushNotifications: z.boolean().meta({ description: 'Can notify a webhook of task updates.' }).optional(),
    stateTransitionHistory: z.boolean().meta({ description: 'Keeps the history of state changes.' }).optional(),
    extensions: z.array(z.object({
      uri: z.string(), description, required: z.boolean().optional(), params: z.record(z.string(), z.unknown()).optional(),
    })).meta({ description: 'Protocol extensions the agent supports.' }).optional(),
  }).meta({ description: 'Optional features of the protocol that the agent offers.' }),
  securitySchemes: z.record(z.string(), SecurityScheme0_3).meta({ description: 'Ways to authenticate, by name.' }).optional(),
  security: Security0_3.meta({ description: 'What every request needs: one of these, each with all its schemes.' }).optional(),
  defaultInputModes: z.array(z.string()).meta({ description: 'Media types the agent takes.' }),
  defaultOutputModes: z.array(z.string()).meta({ description: 'Media types the agent produces.' }),
  skills: z.array(z.object({
    id: z.string().meta({ description: 'Unique id of the skill.' }),
    name: z.string().meta({ description: 'Name for people.' }),
    description: z.string().meta({ description: 'What the skill does.' }),
    tags: z.array(z.string()).meta({ description: 'Keywords.' }),
    examples: z.array(z.string()).meta({ description: 'Example prompts.' }).optional(),
    inputModes: z.array(z.string()).optional(),
    outputModes: z.array(z.string()).optional(),
    security: Security0_3.optional(),
  })).meta({ description: 'What the agent can do.' }),
  supportsAuthenticatedExtendedCard: z.boolean()
    .meta({ description: 'Has a fuller card for authenticated clients.' }).optional(),
  signatures: z.array(z.object({
    protected: z.string(), signature: z.string(), header: z.record(z.string(), z.unknown()).optional(),
  })).meta({ description: 'Signatures over this card.' }).optional(),
}).meta({ title: 'A2A agent card 0.3', description: 'What an A2A 0.3 agent says about itself.' });
export type AgentCard0_3 = z.infer<typeof AgentCard0_3>;
