import type { AuthorizationServer } from 'oauth4webapi';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { challengesIn } from './challenge.ts';
import { oauthFetch, type OAuthContext } from './oauthFetch.ts';

/** Addresses of an authorization server in a card. */
export interface CardEndpoints {
  readonly metadataUrl?: string | undefined;
  readonly authorizationUrl?: string | undefined;
  readonly deviceAuthorizationUrl?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly refreshUrl?: string | undefined;
}

interface Discovered {
  readonly server: AuthorizationServer;
  /** Resource indicator for the tokens (RFC 8707), where the agent names itself in its metadata. */
  readonly resource: string | undefined;
  /** Scopes in the challenge or the agent's metadata. */
  readonly scopes: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Finds the authorization server of an agent: by the metadata of the protected resource (RFC 9728) that the challenge names, by the
 * metadata that the card names, by those of the agent's origin, and at last by the endpoints in the card.
 * @throws Problem `sign-in-metadata`
 */
export async function discover(
  context: OAuthContext,
  {
    agentUrl,
    challenge,
    challengedUrl = agentUrl,
    card,
    requireServer,
    onScopes,
  }: {
    readonly agentUrl: string;
    readonly challenge?: string | undefined;
    /** Address of the request that was challenged, if not `agentUrl`. */
    readonly challengedUrl?: string | undefined;
    readonly card: CardEndpoints;
    /** Called before the first request to a server whose endpoints the card names. Rejects with a `Problem` where the person does not approve it. */
    readonly requireServer: (server: AuthorizationServer) => Promise<void>;
    /**
     * Called with the scopes of the result as far as they are known: those of the challenge first, before any request to the authorization
     * server.
     */
    readonly onScopes: (scopes: readonly string[]) => void;
  },
): Promise<Discovered> {
  const bearer = challengesIn(challenge ?? '').find(({ scheme }) => /^bearer$/i.test(scheme))?.parameters;
  const named = bearer?.get('resource_metadata');
  const asked = scopesIn(bearer?.get('scope'));
  onScopes(asked);
  const resource =
    named !== undefined && URL.canParse(named)
      ? await resourceMetadata(context, new URL(named), [challengedUrl, agentUrl])
      : card.metadataUrl === undefined && card.tokenUrl === undefined
        ? await wellKnownResource(context, agentUrl)
        : undefined;
  const issuer = Array.isArray(resource?.['authorization_servers']) ? (resource['authorization_servers'] as unknown[])[0] : undefined;
  const scopes = asked.length > 0 ? asked : strings(resource?.['scopes_supported']);
  onScopes(scopes);
  const indicator = typeof resource?.['resource'] === 'string' ? resource['resource'] : undefined;
  if (typeof issuer === 'string' && URL.canParse(issuer))
    return { server: await serverByIssuer(context, issuer), resource: indicator, scopes };
  if (card.metadataUrl !== undefined) return { server: await serverByMetadata(context, card.metadataUrl), resource: indicator, scopes };
  if (card.tokenUrl !== undefined)
    return { server: await serverOfCard(context, { card, tokenUrl: card.tokenUrl, requireServer }), resource: indicator, scopes };
  throw new Problem(
    'sign-in-metadata',
    sentence('Neither the agent card nor the agent names the authorization server that issues its tokens.'),
    {
      nextStep: sentence("Ask the agent's operator, or sign in with a token that you have."),
    },
  );
}

const scopesIn = (text: string | undefined): readonly string[] => (text ?? '').split(' ').filter(scope => scope !== '');

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(each => typeof each === 'string') : []);

/** The JSON object at an address; undefined for anything else. Rejects with a `Problem` where there is no answer. */
async function document(context: OAuthContext, url: URL): Promise<Json | undefined> {
  const response = await oauthFetch(context)(url.href, {
    method: 'GET',
    headers: { accept: 'application/json' },
    redirect: 'manual',
    body: undefined,
  });
  if (response.status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(await response.text());
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** RFC 9728 §3.3: what the metadata describe has to be the agent. */
async function resourceMetadata(context: OAuthContext, url: URL, agentUrls: readonly string[]): Promise<Json> {
  const found = await document(context, url);
  if (found === undefined)
    throw new Problem('sign-in-metadata', sentence('The agent names metadata at {0}, but there is none.', url.href), {
      nextStep: sentence("Ask the agent's operator to serve its protected resource metadata (RFC 9728) there."),
    });
  if (!agentUrls.some(agentUrl => describes(found['resource'], agentUrl)))
    throw new Problem(
      'sign-in-resource',
      sentence('The metadata at {0} is for another resource, {1}, and not for this agent.', url.href, String(found['resource'])),
      { nextStep: sentence("A token for another resource could be used there in your name. Ask the agent's operator.") },
    );
  return found;
}

/** True for an address that the agent's begins with. */
function describes(resource: unknown, agentUrl: string): boolean {
  if (typeof resource !== 'string' || !URL.canParse(resource)) return false;
  const [described, agent] = [new URL(resource), new URL(agentUrl)];
  const path = described.pathname.replace(/\/$/, '');
  return described.origin === agent.origin && (agent.pathname === path || agent.pathname.startsWith(`${path}/`));
}

/** Addresses of metadata that an agent may have without naming them (RFC 9728 §3.1). */
export function resourcePlaces(agentUrl: string): readonly URL[] {
  const { origin, pathname } = new URL(agentUrl);
  const suffixes = new Set([pathname.replace(/\/$/, ''), '']);
  return [...suffixes].map(suffix => new URL(`/.well-known/oauth-protected-resource${suffix}`, origin));
}

/** At the places of RFC 9728 §3.1; undefined where the agent has none. */
async function wellKnownResource(context: OAuthContext, agentUrl: string): Promise<Json | undefined> {
  for (const place of resourcePlaces(agentUrl)) {
    const found = await document(context, place);
    if (found !== undefined && describes(found['resource'], agentUrl)) return found;
  }
  return undefined;
}

/** Addresses of an issuer's metadata (RFC 8414 §3.1, OpenID Connect Discovery §4), in the order in which they are tried. */
export function metadataPlaces(issuer: string): readonly URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`/.well-known/oauth-authorization-server${path}`, origin),
    new URL(`${path}/.well-known/openid-configuration`, origin),
    ...(path === '' ? [] : [new URL(`/.well-known/openid-configuration${path}`, origin)]),
  ];
}

async function serverByIssuer(context: OAuthContext, issuer: string): Promise<AuthorizationServer> {
  let other: unknown;
  for (const place of metadataPlaces(issuer)) {
    const found = await document(context, place);
    if (found === undefined) continue;
    if (found['issuer'] === issuer) return serverOf(found, place);
    other ??= found['issuer'];
  }
  if (other !== undefined) throw wrongIssuer(issuer, other);
  throw new Problem('sign-in-metadata', sentence('The authorization server {0} has no metadata.', issuer), {
    nextStep: sentence('It must serve it at {0} (RFC 8414).', metadataPlaces(issuer)[0]!.href),
  });
}

async function serverByMetadata(context: OAuthContext, address: string): Promise<AuthorizationServer> {
  const url = new URL(address);
  const found = await document(context, url);
  if (found === undefined)
    throw new Problem('sign-in-metadata', sentence('The agent card names metadata at {0}, but there is none.', url.href), {
      nextStep: sentence("Ask the agent's operator to correct its card."),
    });
  const { issuer } = found;
  if (typeof issuer !== 'string' || !URL.canParse(issuer) || !metadataPlaces(issuer).some(({ href }) => href === url.href))
    throw wrongIssuer(url.href, issuer);
  return serverOf(found, url);
}

/** The endpoints of the card, with what the metadata at their origin add, if those are of the same server. */
async function serverOfCard(
  context: OAuthContext,
  {
    card,
    tokenUrl,
    requireServer,
  }: {
    readonly card: CardEndpoints;
    readonly tokenUrl: string;
    readonly requireServer: (server: AuthorizationServer) => Promise<void>;
  },
): Promise<AuthorizationServer> {
  const { origin } = new URL(tokenUrl);
  const own: AuthorizationServer = {
    issuer: origin,
    token_endpoint: tokenUrl,
    ...(card.authorizationUrl !== undefined && { authorization_endpoint: card.authorizationUrl }),
    ...(card.deviceAuthorizationUrl !== undefined && { device_authorization_endpoint: card.deviceAuthorizationUrl }),
  };
  await requireServer(own);
  for (const place of metadataPlaces(origin)) {
    const found = await document(context, place);
    if (found?.['token_endpoint'] === tokenUrl && typeof found['issuer'] === 'string')
      return { ...serverOf(found, place), ...own, issuer: found['issuer'] };
  }
  return own;
}

/** @throws Problem `sign-in-metadata` for metadata without what every server needs */
function serverOf(found: Json, place: URL): AuthorizationServer {
  const endpoints = Object.entries(found).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri');
  const bad = endpoints.find(([, value]) => typeof value !== 'string' || !URL.canParse(value));
  if (bad !== undefined || typeof found['token_endpoint'] !== 'string')
    throw new Problem('sign-in-metadata', sentence('The metadata at {0} has no usable {1}.', place.href, bad?.[0] ?? 'token_endpoint'), {
      nextStep: sentence("Ask the authorization server's operator to correct it (RFC 8414)."),
    });
  return found as unknown as AuthorizationServer;
}

const wrongIssuer = (expected: string, issuer: unknown): Problem =>
  new Problem(
    'sign-in-issuer',
    sentence(
      'The authorization server identifies itself as {0}, but was found as {1}.',
      typeof issuer === 'string' ? issuer : '?',
      expected,
    ),
    {
      nextStep: sentence(
        "Another server may be posing as it. Ask the agent's operator to correct the address or the issuer (RFC 8414 §3.3).",
      ),
    },
  );
