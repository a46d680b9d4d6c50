import { closestMatch } from '../../protocol/closestMatch.ts';
import { sentence } from '../../protocol/problem.ts';
import { membersOf, type JsonNode } from '../../request/text/jsonNode.ts';
import type { CardCheck } from '../cardProblem.ts';
import { renameMember } from '../edits.ts';

/** The members of an object of a card in any protocol version, and what they hold: undefined for what is read no further. */
interface Names {
  readonly [name: string]: Names | undefined;
}

const plain = (...names: readonly string[]): Names => Object.fromEntries(names.map(name => [name, undefined]));
/** A map whose keys are the author's own. */
const anyName = '*';

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

/** A test compares this with the types of all protocol versions. */
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

/** A member that nobody reads, and is nearly one that is read and not there. Others are the author's own, which A2A 1.0 §5.7 allows. */
export const misspeltMembers: CardCheck = function* ({ root }) {
  yield* misspeltIn(root, memberNames);
};

function* misspeltIn(node: JsonNode, names: Names): ReturnType<CardCheck> & Generator {
  for (const child of node.type === 'array' ? (node.children ?? []) : []) yield* misspeltIn(child, names);
  const members = membersOf(node);
  if (Object.hasOwn(names, anyName)) {
    for (const { value } of members) if (value !== undefined) yield* misspeltIn(value, names[anyName]!);
    return;
  }
  const written = new Set(members.map(({ name }) => name));
  for (const member of members) {
    const { name, nameRange, value } = member;
    if (Object.hasOwn(names, name)) {
      const inner = names[name];
      if (inner !== undefined && value !== undefined) yield* misspeltIn(value, inner);
      continue;
    }
    // Of snake_case another check tells.
    const like = /_/.test(name)
      ? undefined
      : closestMatch(
          name,
          Object.keys(names).filter(known => !written.has(known)),
        );
    if (like === undefined) continue;
    yield {
      code: 'misspelt-member',
      range: nameRange,
      severity: 'warning',
      sentence: sentence('"{0}" is not a member of agent cards and is not read. Did you mean "{1}"?', name, like),
      fixes: [{ title: sentence('Change to "{0}"', like), edits: renameMember(member, like) }],
    };
  }
}
