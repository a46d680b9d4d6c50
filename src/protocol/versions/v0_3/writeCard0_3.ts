import type { AgentCard, AgentSkill } from '../../card/agentCard.ts';
import type { SecurityRequirement, SecurityScheme } from '../../card/securityScheme.ts';
import { withUnknownMembers, withoutUndefined, mapMembers } from '../shared/fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A member of the 1.0 card that is left out or changed because a 0.3 card cannot express it. */
export interface CardLoss {
  /** RFC 6901 pointer into the 1.0 card. */
  readonly pointer: string;
  readonly reason: 'no-0.3-interface' | 'tenant' | 'version-per-interface' | 'device-code' | 'pkce' | 'signatures';
}

const converted = new Set([
  'supportedInterfaces',
  'capabilities',
  'securitySchemes',
  'securityRequirements',
  'skills',
  'signatures',
  'url',
  'preferredTransport',
  'additionalInterfaces',
  'protocolVersion',
  'security',
  'supportsAuthenticatedExtendedCard',
]);

/**
 * A core (1.0) card as A2A 0.3 writes it (0.3 §5.5). Interfaces with version 0.3 become `url` and `additionalInterfaces`; where there are
 * none, all interfaces do. Signatures are left out, since they are over the original card. Members that are not in the schema are kept
 * unchanged.
 */
export function writeCard0_3(card: AgentCard): { readonly card: Fields; readonly losses: readonly CardLoss[] } {
  const losses: CardLoss[] = [];
  const { extendedAgentCard, ...capabilities } = card.capabilities;
  const made = withUnknownMembers(
    card as Fields,
    converted,
    withoutUndefined({
      protocolVersion: '0.3.0',
      ...writeInterfaces(card, losses),
      capabilities,
      securitySchemes:
        card.securitySchemes &&
        mapMembers(card.securitySchemes, (scheme, name) =>
          writeScheme(scheme as SecurityScheme, `/securitySchemes/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, losses),
        ),
      security: card.securityRequirements?.map(writeRequirement),
      supportsAuthenticatedExtendedCard: extendedAgentCard === true ? true : undefined,
      skills: card.skills.map(writeSkill),
    }),
  );
  if (card.signatures !== undefined) losses.push({ pointer: '/signatures', reason: 'signatures' });
  return { card: made, losses };
}

function writeInterfaces({ supportedInterfaces }: AgentCard, losses: CardLoss[]): Fields {
  const old = supportedInterfaces.filter(({ protocolVersion }) => protocolVersion.startsWith('0.3'));
  const chosen = old.length > 0 ? old : supportedInterfaces;
  supportedInterfaces.forEach((entry, index) => {
    const pointer = `/supportedInterfaces/${index}`;
    if (!chosen.includes(entry)) losses.push({ pointer, reason: 'version-per-interface' });
    else if (old.length === 0) losses.push({ pointer, reason: 'no-0.3-interface' });
    if (entry.tenant) losses.push({ pointer: `${pointer}/tenant`, reason: 'tenant' });
  });
  const [first, ...rest] = chosen;
  return {
    url: first?.url ?? '',
    preferredTransport: first?.protocolBinding ?? 'JSONRPC',
    additionalInterfaces: rest.length === 0 ? undefined : rest.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
  };
}

const writeRequirement = ({ schemes }: SecurityRequirement): Fields =>
  mapMembers(schemes, scopes => (scopes as { list?: string[] }).list ?? []) ?? {};

function writeSkill({ securityRequirements, ...skill }: AgentSkill): Fields {
  return withoutUndefined({ ...skill, security: securityRequirements?.map(writeRequirement) });
}

/** Distinguishes schemes by their member; kinds that 0.3 does not have are kept unchanged. */
function writeScheme(scheme: SecurityScheme, pointer: string, losses: CardLoss[]): unknown {
  const {
    apiKeySecurityScheme: apiKey,
    httpAuthSecurityScheme: http,
    oauth2SecurityScheme: oauth2,
    openIdConnectSecurityScheme: oidc,
    mtlsSecurityScheme: mtls,
  } = scheme;
  if (apiKey !== undefined)
    return withoutUndefined({ type: 'apiKey', in: apiKey.location, name: apiKey.name, description: apiKey.description });
  if (http !== undefined) return withoutUndefined({ type: 'http', ...http });
  if (oidc !== undefined) return withoutUndefined({ type: 'openIdConnect', ...oidc });
  if (mtls !== undefined) return withoutUndefined({ type: 'mutualTLS', ...mtls });
  if (oauth2 === undefined) return scheme;
  const { deviceCode, authorizationCode, ...flows } = oauth2.flows;
  const at = `${pointer}/oauth2SecurityScheme/flows`;
  if (deviceCode !== undefined) losses.push({ pointer: `${at}/deviceCode`, reason: 'device-code' });
  const { pkceRequired, ...code } = authorizationCode ?? {};
  if (pkceRequired !== undefined) losses.push({ pointer: `${at}/authorizationCode/pkceRequired`, reason: 'pkce' });
  return withoutUndefined({
    type: 'oauth2',
    flows: withoutUndefined({ ...flows, authorizationCode: authorizationCode === undefined ? undefined : code }),
    oauth2MetadataUrl: oauth2.oauth2MetadataUrl,
    description: oauth2.description,
  });
}
