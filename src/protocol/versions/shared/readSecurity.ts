import type { AgentCard, AgentSkill } from '../../card/agentCard.ts';
import { isObject } from '../../json.ts';
import { SecurityScheme, type SecurityRequirement } from '../../card/securityScheme.ts';
import { SecurityScheme0_3 } from './agentCard0_3.ts';
import { items, withoutUndefined, mapMembers } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads authentication from a card of any version from 0.2 on into 1.0 shape. Cards of all versions may have either form of schemes, and
 * 1.0's own sample card has `security`.
 */
export function readSecurity(card: Fields): Pick<AgentCard, 'securitySchemes' | 'securityRequirements'> {
  return withoutUndefined({
    securitySchemes: mapMembers(card['securitySchemes'], readScheme),
    securityRequirements: readRequirements(card),
  });
}

/** `securityRequirements` of a card or a skill, or `security`, its name before 1.0. */
export function readRequirements(from: Fields): AgentSkill['securityRequirements'] {
  const list = [from['securityRequirements'], from['security']].find(Array.isArray);
  return list === undefined ? undefined : items(list).filter(isObject).map(readRequirement);
}

function readRequirement(value: Fields): SecurityRequirement {
  const from = isObject(value['schemes']) ? value['schemes'] : value;
  return {
    schemes:
      mapMembers(from, scopes => ({
        list: items(isObject(scopes) ? scopes['list'] : scopes).filter(scope => typeof scope === 'string'),
      })) ?? {},
  };
}

/**
 * The JavaScript SDK (1.0 to 1.3) serves a card as the object that its protocol buffers are in memory: a member of a oneof is `{"$case":
 * name, "value": …}` there, and text that was not set is empty.
 */
function withoutCases(scheme: unknown): unknown {
  const value = isObject(scheme) ? caseIn(scheme['scheme']) : undefined;
  if (value === undefined) return scheme;
  return mapMembers(value, each => {
    if (!isObject(each)) return each;
    const flow = isObject(each['flows']) ? caseIn(each['flows']['flow']) : undefined;
    return flow === undefined ? setIn(each) : { ...setIn(each), flows: mapMembers(flow, one => (isObject(one) ? setIn(one) : one)) };
  });
}

const setIn = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

const caseIn = (oneof: unknown): Fields | undefined =>
  isObject(oneof) && typeof oneof['$case'] === 'string' ? { [oneof['$case']]: oneof['value'] } : undefined;

/** Accepts either form: 0.3 cards made from the protocol buffers already have the 1.0 member names. */
function readScheme(given: unknown): SecurityScheme | undefined {
  const value = withoutCases(given);
  const modern = SecurityScheme.safeParse(value);
  if (modern.success && Object.keys(modern.data).length > 0) return modern.data;
  const parsed = SecurityScheme0_3.safeParse(value);
  if (!parsed.success) return undefined;
  const scheme = parsed.data;
  switch (scheme.type) {
    case 'apiKey':
      return { apiKeySecurityScheme: withoutUndefined({ location: scheme.in, name: scheme.name, description: scheme.description }) };
    case 'http':
      return {
        httpAuthSecurityScheme: withoutUndefined({
          scheme: scheme.scheme,
          bearerFormat: scheme.bearerFormat,
          description: scheme.description,
        }),
      };
    case 'oauth2':
      return {
        oauth2SecurityScheme: withoutUndefined({
          flows: scheme.flows,
          oauth2MetadataUrl: scheme.oauth2MetadataUrl,
          description: scheme.description,
        }),
      };
    case 'openIdConnect':
      return {
        openIdConnectSecurityScheme: withoutUndefined({ openIdConnectUrl: scheme.openIdConnectUrl, description: scheme.description }),
      };
    case 'mutualTLS':
      return { mtlsSecurityScheme: withoutUndefined({ description: scheme.description }) };
  }
}
