import * as z from 'zod';
import { AgentCardSignature, AgentExtension, AgentProvider } from '../../card/agentCard.ts';

const description = z.string().meta({ description: 'What it is for.' }).optional();
const scopes = z.record(z.string(), z.string()).meta({ description: 'Scope name to what it allows; may be empty.' });
const refreshUrl = z.string().meta({ description: 'Where tokens are refreshed.' }).optional();
const tokenUrl = z.string().meta({ description: 'Where tokens are issued.' });
const authorizationUrl = z.string().meta({ description: 'Where the person signs in.' });

const OAuthFlows = z
  .object({
    authorizationCode: z
      .object({ authorizationUrl, tokenUrl, refreshUrl, scopes })
      .meta({ description: 'For a person in a browser.' })
      .optional(),
    clientCredentials: z.object({ tokenUrl, refreshUrl, scopes }).meta({ description: 'For a program on its own behalf.' }).optional(),
    implicit: z
      .object({ authorizationUrl, refreshUrl, scopes })
      .meta({ description: 'Outdated: a token straight from the sign-in page.' })
      .optional(),
    password: z.object({ tokenUrl, refreshUrl, scopes }).meta({ description: "Outdated: the person's password for a token." }).optional(),
  })
  .meta({ description: 'The OAuth 2.0 flows the agent takes.' });

const kind = { description: 'Which kind of scheme it is.' };

/** Security scheme of 0.2 and 0.3: that of OpenAPI, distinguished by `type` (0.3 §5.5.3). */
export const SecurityScheme0_3 = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('apiKey').meta(kind),
    in: z.enum(['query', 'header', 'cookie']).meta({ description: 'Where the key travels.' }),
    name: z.string().meta({ description: 'Name of the header, query parameter or cookie.' }),
    description,
  }),
  z.object({
    type: z.literal('http').meta(kind),
    scheme: z.string().meta({ description: 'Scheme of the Authorization header, such as `Bearer` or `Basic`.' }),
    bearerFormat: z.string().meta({ description: "Hint at the token's format, such as `JWT`." }).optional(),
    description,
  }),
  z.object({
    type: z.literal('oauth2').meta(kind),
    flows: OAuthFlows,
    oauth2MetadataUrl: z.string().meta({ description: 'Authorization server metadata (RFC 8414).' }).optional(),
    description,
  }),
  z.object({
    type: z.literal('openIdConnect').meta(kind),
    openIdConnectUrl: z.string().meta({ description: 'OpenID Connect discovery document.' }),
    description,
  }),
  z.object({ type: z.literal('mutualTLS').meta(kind), description }),
]);
export type SecurityScheme0_3 = z.infer<typeof SecurityScheme0_3>;

const Security0_3 = z.array(z.record(z.string(), z.array(z.string())));

/** The agent card of A2A 0.3 (§5.5). */
export const AgentCard0_3 = z
  .object({
    protocolVersion: z.string().meta({ description: 'A2A version the agent supports, such as `0.3.0`.', examples: ['0.3.0'] }),
    name: z.string().meta({ description: 'Name of the agent.' }),
    description: z.string().meta({ description: 'What the agent is for.' }),
    version: z.string().meta({ description: "The agent's own version." }),
    url: z.string().meta({ description: 'Endpoint of the preferred transport.' }),
    preferredTransport: z
      .string()
      .meta({ description: 'What `url` uses: `JSONRPC` (the default), `GRPC` or `HTTP+JSON`.', examples: ['JSONRPC'] })
      .optional(),
    additionalInterfaces: z
      .array(
        z.object({
          url: z.string().meta({ description: 'Address of the interface.' }),
          transport: z.string().meta({ description: '`JSONRPC`, `GRPC` or `HTTP+JSON`.' }),
        }),
      )
      .meta({ description: 'More addresses and transports of the same agent.' })
      .optional(),
    provider: AgentProvider.optional(),
    documentationUrl: z.string().meta({ description: 'Documentation for people.' }).optional(),
    iconUrl: z.string().meta({ description: 'Icon of the agent.' }).optional(),
    capabilities: z
      .object({
        streaming: z.boolean().meta({ description: 'Streams answers as server-sent events.' }).optional(),
        pushNotifications: z.boolean().meta({ description: 'Can notify a webhook of task updates.' }).optional(),
        stateTransitionHistory: z.boolean().meta({ description: 'Keeps the history of state changes.' }).optional(),
        extensions: z.array(AgentExtension).meta({ description: 'Protocol extensions the agent supports.' }).optional(),
      })
      .meta({ description: 'Optional features of the protocol that the agent offers.' }),
    securitySchemes: z.record(z.string(), SecurityScheme0_3).meta({ description: 'Ways to authenticate, by name.' }).optional(),
    security: Security0_3.meta({ description: 'What every request needs: one of these, each with all its schemes.' }).optional(),
    defaultInputModes: z.array(z.string()).meta({ description: 'Media types the agent takes.' }),
    defaultOutputModes: z.array(z.string()).meta({ description: 'Media types the agent produces.' }),
    skills: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Unique id of the skill.' }),
          name: z.string().meta({ description: 'Name for people.' }),
          description: z.string().meta({ description: 'What the skill does.' }),
          tags: z.array(z.string()).meta({ description: 'Keywords.' }),
          examples: z.array(z.string()).meta({ description: 'Example prompts.' }).optional(),
          inputModes: z.array(z.string()).meta({ description: "Media types taken, instead of the card's defaults." }).optional(),
          outputModes: z.array(z.string()).meta({ description: "Media types produced, instead of the card's defaults." }).optional(),
          security: Security0_3.meta({ description: 'What using this skill needs.' }).optional(),
        }),
      )
      .meta({ description: 'What the agent can do.' }),
    supportsAuthenticatedExtendedCard: z.boolean().meta({ description: 'Has a fuller card for authenticated clients.' }).optional(),
    signatures: z.array(AgentCardSignature).meta({ description: 'Signatures over this card.' }).optional(),
  })
  .meta({ title: 'A2A agent card 0.3', description: 'What an A2A 0.3 agent says about itself.' });
export type AgentCard0_3 = z.infer<typeof AgentCard0_3>;
