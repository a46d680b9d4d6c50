import { isObject } from '../json.ts';
import type { AgentCard, AgentInterface } from '../agentCard.ts';
import type { Note } from '../finding.ts';
import { SecurityScheme, type SecurityRequirement } from '../securityScheme.ts';
import { AgentCard0_3, SecurityScheme0_3 } from './agentCard0_3.ts';
import { items, optionalString, optionalStrings, present } from './fields.ts';
import { readCapabilities, readProvider, readSkills, record } from './normalizeCard.ts';

type Fields = Readonly<Record<string, unknown>>;
const ignore: Note = () => {};
const text = (from: Fields, name: string): string | undefined => optionalString(from, name, '', ignore);

/** A 0.3 card in core shape: `url` and `additionalInterfaces` become `supportedInterfaces`, security becomes the 1.0 form. */
export function readCard0_3(card: Fields, note: Note): AgentCard {
  const strict = AgentCard0_3.safeParse(card);
  for (const issue of strict.error?.issues ?? []) note('CARD-03', issue.path.map(step => `/${String(step)}`).join(''), issue.message);
  return present({
    name: text(card, 'name') ?? 'Unnamed agent',
    description: text(card, 'description') ?? '',
    version: text(card, 'version') ?? '',
    supportedInterfaces: readInterfaces(card),
    provider: readProvider(card['provider']),
    documentationUrl: text(card, 'documentationUrl'),
    iconUrl: text(card, 'iconUrl'),
    capabilities: present({
      ...readCapabilities(card['capabilities']),
      extendedAgentCard: card['supportsAuthenticatedExtendedCard'] === true ? true : undefined,
    }),
    securitySchemes: record(card['securitySchemes'], readScheme),
    securityRequirements: Array.isArray(card['security']) ? card['security'].filter(isObject).map(readRequirement) : undefined,
    defaultInputModes: optionalStrings(card, 'defaultInputModes') ?? ['text/plain'],
    defaultOutputModes: optionalStrings(card, 'defaultOutputModes') ?? ['text/plain'],
    skills: readSkills(card['skills']),
  });
}

/** `url` speaks `preferredTransport`, JSON-RPC when that is absent; additional interfaces that repeat it are one (0.3 §5.6). */
function readInterfaces(card: Fields): AgentInterface[] {
  const claimed = text(card, 'protocolVersion') ?? '0.3';
  const protocolVersion = claimed.split('.').slice(0, 2).join('.');
  const all = [
    { url: text(card, 'url') ?? '', protocolBinding: text(card, 'preferredTransport') ?? 'JSONRPC', protocolVersion },
    ...items(card['additionalInterfaces']).filter(isObject)
      .map(entry => ({ url: text(entry, 'url') ?? '', protocolBinding: text(entry, 'transport') ?? 'JSONRPC', protocolVersion })),
  ];
  return all.filter((entry, index) =>
    entry.url !== '' && all.findIndex(other => other.url === entry.url && other.protocolBinding === entry.protocolBinding) === index);
}

/** Either form: 0.3 cards made from the protocol buffers already carry the 1.0 member names. */
function readScheme(value: unknown): SecurityScheme | undefined {
  const modern = SecurityScheme.safeParse(value);
  if (modern.success && Object.keys(modern.data).length > 0) return modern.data;
  const parsed = SecurityScheme0_3.safeParse(value);
  if (!parsed.success) return undefined;
  const scheme = parsed.data;
  switch (scheme.type) {
    case 'apiKey': return { apiKeySecurityScheme: present({ location: scheme.in, name: scheme.name, description: scheme.description }) };
    case 'http': return {
      httpAuthSecurityScheme: present({ scheme: scheme.scheme, bearerFormat: scheme.bearerFormat, description: scheme.description }),
    };
    case 'oauth2': return {
      oauth2SecurityScheme: present({
        flows: scheme.flows, oauth2MetadataUrl: scheme.oauth2MetadataUrl, description: scheme.description,
      }),
    };
    case 'openIdConnect': return {
      openIdConnectSecurityScheme: present({ openIdConnectUrl: scheme.openIdConnectUrl, description: scheme.description }),
    };
    case 'mutualTLS': return { mtlsSecurityScheme: present({ description: scheme.description }) };
  }
}

function readRequirement(value: Fields): SecurityRequirement {
  const from = isObject(value['schemes']) ? value['schemes'] : value;
  return {
    schemes: record(from, scopes => ({
      list: items(isObject(scopes) ? scopes['list'] : scopes).filter(scope => typeof scope === 'string'),
    })) ?? {},
  };
}
