import * as z from 'zod';

const client = z.object({
  id: z.string(),
  secret: z.string().optional(),
  authentication: z.enum(['none', 'client_secret_basic', 'client_secret_post']),
  origin: z.enum(['registered', 'document', 'given']),
  secretExpiresAt: z.number().optional(),
});

const tokens = z.object({
  accessToken: z.string(),
  tokenType: z.string(),
  refreshToken: z.string().optional(),
  idToken: z.string().optional(),
  expiresAt: z.number().optional(),
  scopes: z.array(z.string()),
  resource: z.string().optional(),
  account: z.string().optional(),
  issuer: z.string().optional(),
  tokenEndpoint: z.string(),
  refreshEndpoint: z.string().optional(),
  revocationEndpoint: z.string().optional(),
  client,
});

/** How one scheme of a card is satisfied. */
const credential = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('apiKey'),
    scheme: z.string(),
    location: z.enum(['header', 'query', 'cookie']),
    name: z.string(),
    value: z.string(),
  }),
  z.object({ kind: z.literal('authorization'), scheme: z.string(), type: z.string(), value: z.string() }),
  z.object({
    kind: z.literal('oauth'),
    scheme: z.string(),
    flow: z.enum(['authorizationCode', 'deviceCode', 'clientCredentials']),
    tokens,
  }),
  /** A client certificate, which the agent's settings name. */
  z.object({ kind: z.literal('mtls'), scheme: z.string() }),
]);
export type KeptCredential = z.infer<typeof credential>;

const signIn = z.object({
  credentials: z.array(credential),
  account: z.string().optional(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The refresh token was refused: the person has to sign in again. */
  over: z.boolean().optional(),
});
export type KeptSignIn = z.infer<typeof signIn>;

const agent = z.object({
  /** Origins that may have the credentials, as `URL.origin` writes them. */
  origins: z.array(z.string()),
  /** True where the card is fetched with the credentials too, which the person has allowed. */
  card: z.boolean().optional(),
  /** Certificates of `RequestedSignIn` that may decide without being in the person's own settings. */
  certificates: z.string().optional(),
  /** Origins of authorization servers that the person approved. */
  servers: z.array(z.string()),
  /** Origins that the person approved together, with what each does in a sign-in. */
  together: z
    .array(
      z.array(
        z.object({ origin: z.string(), uses: z.array(z.enum(['page', 'device', 'registration', 'token', 'account', 'revocation'])) }),
      ),
    )
    .optional(),
  /** Scopes that the person approved, by origin. */
  scopes: z.record(z.string(), z.array(z.string())).optional(),
  /** The identity that requests use where they name none. */
  current: z.string(),
  identities: z.record(z.string(), signIn),
});
export type KeptAgent = z.infer<typeof agent>;

const kept = z.object({ version: z.literal(1), agents: z.record(z.string(), z.unknown()) });
/** All sign-ins, by `agentKey` and the name that the person gave. */
export interface KeptSignIns {
  readonly version: 1;
  readonly agents: Record<string, KeptAgent>;
}

/** The tokens are renewed without the person. */
export const renewsItself = (credential: Extract<KeptCredential, { readonly kind: 'oauth' }>): boolean =>
  credential.tokens.refreshToken !== undefined || credential.flow === 'clientCredentials';

/** The identity of who names none. */
export const defaultIdentity = 'default';
/** Most identities at one agent, and the longest name of one, in characters. */
export const maxIdentities = 64;
export const maxIdentityName = 60;
/** Most `together` of one agent: the oldest go. */
export const maxTogether = 16;

/**
 * Kept sign-ins; none where the text is from another version, which then stays as it is until the next sign-in. An agent whose sign-ins
 * cannot be read costs no other agent its own.
 */
export function readKept(text: string | undefined): KeptSignIns {
  const empty = { version: 1 as const, agents: {} };
  if (text === undefined || text === '') return empty;
  try {
    const read = kept.safeParse(JSON.parse(text));
    if (!read.success) return empty;
    const agents = Object.entries(read.data.agents).flatMap(([key, value]) => {
      const { data } = agent.safeParse(value);
      return data === undefined ? [] : [[key, data] as const];
    });
    return { version: 1, agents: Object.fromEntries(agents) };
  } catch (error) {
    if (error instanceof SyntaxError) return empty;
    throw error;
  }
}
