import * as z from 'zod';

const description = z.string().meta({ description: 'What the scheme is for.' }).optional();
const scopes = z.record(z.string(), z.string()).meta({ description: 'Scope name to what it allows; may be empty.' });
const refreshUrl = z.string().meta({ description: 'Where tokens are refreshed.' }).optional();
const tokenUrl = z.string().meta({ description: 'Where tokens are issued.' });
const authorizationUrl = z.string().meta({ description: 'Where the person signs in.' });

const OAuthFlows = z
  .object({
    authorizationCode: z
      .object({
        authorizationUrl,
        tokenUrl,
        refreshUrl,
        scopes,
        pkceRequired: z.boolean().meta({ description: 'Whether PKCE (RFC 7636) is demanded.' }).optional(),
      })
      .meta({ description: 'For a person in a browser.' })
      .optional(),
    clientCredentials: z.object({ tokenUrl, refreshUrl, scopes }).meta({ description: 'For a program on its own behalf.' }).optional(),
    deviceCode: z
      .object({
        deviceAuthorizationUrl: z.string().meta({ description: 'Device authorization endpoint (RFC 8628).' }),
        tokenUrl,
        refreshUrl,
        scopes,
      })
      .meta({ description: 'For a device without a browser: the person signs in on another one.' })
      .optional(),
    implicit: z
      .object({ authorizationUrl, refreshUrl, scopes })
      .meta({ deprecated: true, description: 'Outdated: a token straight from the sign-in page.' })
      .optional(),
    password: z
      .object({ tokenUrl, refreshUrl, scopes })
      .meta({ deprecated: true, description: "Outdated: the person's password for a token." })
      .optional(),
  })
  .meta({ description: 'Exactly one OAuth 2.0 flow.' });

/**
 * One way to authenticate; exactly one member is set (A2A 1.0 §4.5.1).
 *
 * To add one: its shape here, how generations write it in `versions/shared/readSecurity.ts` and `v0_3/writeCard0_3.ts`; in `auth/signIns`
 * its step (`planOf.ts`), what is asked (`credentialSteps.ts`), kept (`keptSignIns.ts`) and sent (`requestCredentials.ts`); its label in
 * `signInPrompts.ts` and `terminalPrompts.ts`; rows of `signInPlan.test.ts`, `signIns.test.ts` and `securedAgents.test.ts`.
 */
export const SecurityScheme = z.object({
  apiKeySecurityScheme: z
    .object({
      location: z.enum(['query', 'header', 'cookie']).meta({ description: 'Where the key travels.' }),
      name: z.string().meta({ description: 'Name of the header, query parameter or cookie.' }),
      description,
    })
    .meta({ description: 'An API key.' })
    .optional(),
  httpAuthSecurityScheme: z
    .object({
      scheme: z.string().meta({ description: 'Scheme of the Authorization header, such as `Bearer` or `Basic`.' }),
      bearerFormat: z.string().meta({ description: "Hint at the token's format, such as `JWT`." }).optional(),
      description,
    })
    .meta({ description: 'HTTP authentication.' })
    .optional(),
  oauth2SecurityScheme: z
    .object({
      flows: OAuthFlows,
      oauth2MetadataUrl: z.string().meta({ description: 'Authorization server metadata (RFC 8414).' }).optional(),
      description,
    })
    .meta({ description: 'OAuth 2.0.' })
    .optional(),
  openIdConnectSecurityScheme: z
    .object({
      openIdConnectUrl: z.string().meta({ description: 'OpenID Connect discovery document.' }),
      description,
    })
    .meta({ description: 'OpenID Connect.' })
    .optional(),
  mtlsSecurityScheme: z.object({ description }).meta({ description: 'Mutual TLS.' }).optional(),
});
export type SecurityScheme = z.infer<typeof SecurityScheme>;

/** Names of schemes that are all required together, each with its scopes (A2A 1.0 §4.5.8). */
export const SecurityRequirement = z.object({
  schemes: z
    .record(
      z.string(),
      z.object({
        list: z.array(z.string()).meta({ description: 'Scopes that are needed.' }).optional(),
      }),
    )
    .meta({ description: 'Names of security schemes, all of them needed.' }),
});
export type SecurityRequirement = z.infer<typeof SecurityRequirement>;
