import { closestMatch } from '../../closestMatch.ts';
import { sentence } from '../../problem.ts';
import { anyName, inCamelCase, plain, type Names } from '../../protoNames.ts';
import { listed, membersIn, type CardCheck, type CardFault, type CardPath } from './cardFault.ts';

/** Flows of 0.3. */
const flows: Names = {
  authorizationCode: plain('authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes'),
  clientCredentials: plain('tokenUrl', 'refreshUrl', 'scopes'),
  implicit: plain('authorizationUrl', 'refreshUrl', 'scopes'),
  password: plain('tokenUrl', 'refreshUrl', 'scopes'),
};
const newerFlows: Names = {
  ...flows,
  authorizationCode: plain('authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes', 'pkceRequired'),
  deviceCode: plain('deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes'),
};
const scheme: Names = {
  ...plain('type', 'description', 'in', 'name', 'scheme', 'bearerFormat', 'openIdConnectUrl', 'oauth2MetadataUrl'),
  flows,
  apiKeySecurityScheme: plain('location', 'name', 'description'),
  httpAuthSecurityScheme: plain('scheme', 'bearerFormat', 'description'),
  oauth2SecurityScheme: { ...plain('oauth2MetadataUrl', 'description'), flows: newerFlows },
  openIdConnectSecurityScheme: plain('openIdConnectUrl', 'description'),
  mtlsSecurityScheme: plain('description'),
};

/** The members of a card in any protocol version. A test compares this with the types of all of them. */
export const memberNames: Names = {
  ...plain('name', 'description', 'version', 'url', 'preferredTransport', 'documentationUrl', 'iconUrl', 'protocolVersion'),
  ...plain('supportsAuthenticatedExtendedCard', 'security', 'securityRequirements', 'defaultInputModes', 'defaultOutputModes'),
  supportedInterfaces: plain('url', 'protocolBinding', 'protocolVersion', 'tenant'),
  additionalInterfaces: plain('url', 'transport'),
  provider: plain('organization', 'url'),
  capabilities: {
    ...plain('streaming', 'pushNotifications', 'extendedAgentCard', 'stateTransitionHistory'),
    extensions: plain('uri', 'description', 'required', 'params'),
  },
  authentication: plain('schemes', 'credentials'),
  securitySchemes: { [anyName]: scheme },
  skills: plain('id', 'name', 'description', 'tags', 'examples', 'inputModes', 'outputModes', 'security', 'securityRequirements'),
  signatures: plain('protected', 'signature', 'header'),
};

/** As `inCamelCase`, for a card of any protocol version. */
export const cardInCamelCase = <T>(card: T, renamed?: Parameters<typeof inCamelCase>[2]): T => inCamelCase(card, memberNames, renamed);

/** Every name in the table. */
export const knownNames: ReadonlySet<string> = new Set(namesIn(memberNames));

function namesIn(names: Names): readonly string[] {
  return Object.entries(names).flatMap(([name, inner]) => [name, ...(inner === undefined ? [] : namesIn(inner))]);
}

/** Most unknown names of one card that are compared with the known ones, which takes time. */
const maxCompared = 1_000;

/** A member that no version has, with a name close to a known one. Others are the author's own, which A2A 1.0 §5.7 allows. */
export const misspeltMembers: CardCheck = function* ({ card }) {
  yield* misspeltIn(card, memberNames, [], { compared: 0 });
};

function* misspeltIn(value: unknown, names: Names, path: CardPath, count: { compared: number }): Generator<CardFault> {
  for (const [index, item] of listed(value)) yield* misspeltIn(item, names, [...path, index], count);
  const members = membersIn(value);
  if (Object.hasOwn(names, anyName)) {
    for (const [name, inner] of members) yield* misspeltIn(inner, names[anyName]!, [...path, name], count);
    return;
  }
  const written = new Set(members.map(([name]) => name));
  for (const [name, held] of members) {
    const at = [...path, name];
    if (Object.hasOwn(names, name)) {
      const inner = names[name];
      if (inner !== undefined) yield* misspeltIn(held, inner, at, count);
      continue;
    }
    // Another check finds snake_case.
    if (name.includes('_') || ++count.compared > maxCompared) continue;
    const known = Object.keys(names);
    const missing = closestMatch(
      name,
      known.filter(one => !written.has(one)),
    );
    const like = missing ?? closestMatch(name, known);
    if (like === undefined) continue;
    yield {
      code: 'misspelt-member',
      path: at,
      isName: true,
      severity: 'warning',
      sentence: sentence('"{0}" is not a member of agent cards and is not read. Did you mean "{1}"?', name, like),
      // The right one is there, too.
      fixes: missing === undefined ? [] : [{ title: sentence('Change to "{0}"', like), edits: [{ path: at, name: like }] }],
    };
  }
}
