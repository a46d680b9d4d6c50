import { hint, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

interface Row {
  /** The likeliest cause has the greatest: what a later step shows counts more than what only looks odd before it. */
  readonly weight: number;
  readonly what: (...args: readonly string[]) => LocalizedMessage;
  readonly remedy: LocalizedMessage;
}

const runs = sentence("Ask the authorization server's operator to correct its metadata (RFC 8414 §2).");
const agentRuns = sentence("Ask the agent's operator to correct its protected resource metadata (RFC 9728 §2).");
const card = sentence("Ask the agent's operator to correct its card.");

const rows = {
  unreachable: {
    weight: 100,
    what: where => sentence('{0} cannot be reached.', where),
    remedy: sentence('Check address, network, proxy and certificate.'),
  },
  otherAnswer: {
    weight: 95,
    what: where => sentence('{0} does not answer like an agent.', where),
    remedy: sentence(
      'Look at the exchange. A web page or a redirect is often the sign-in page of a proxy in front of the agent; otherwise check the address of the interface in the card.',
    ),
  },
  noScheme: {
    weight: 60,
    what: () => sentence('The agent requires credentials, and its card names no security scheme.'),
    remedy: sentence('Add securitySchemes and securityRequirements to the card (A2A 1.0 §4.5).'),
  },
  unknownScheme: {
    weight: 60,
    what: name => sentence('A requirement of the card names the scheme "{0}", which the card does not define.', name),
    remedy: card,
  },
  unsupportedScheme: {
    weight: 55,
    what: () => sentence("None of the card's sign-in methods is supported here."),
    remedy: sentence('Offer the authorization code with PKCE, a device code or client credentials in the card.'),
  },
  noChallenge: {
    weight: 20,
    what: () => sentence('The agent answers 401 without WWW-Authenticate, so it does not say how to sign in.'),
    remedy: sentence('Send WWW-Authenticate with every 401 (RFC 9110 §15.5.2).'),
  },
  forbiddenToAll: {
    weight: 50,
    what: () => sentence('The agent answers 403 to a request without credentials, where 401 is required.'),
    remedy: sentence('Answer 401 with WWW-Authenticate as long as credentials are missing (RFC 9110 §15.5.2).'),
  },
  resourceMissing: {
    weight: 80,
    what: url => sentence('The agent names metadata at {0}, but there is none.', url),
    remedy: sentence('Serve the protected resource metadata there (RFC 9728 §3), or leave resource_metadata out of WWW-Authenticate.'),
  },
  resourceUnreadable: {
    weight: 80,
    what: url => sentence('The metadata at {0} is not a JSON object.', url),
    remedy: agentRuns,
  },
  resourceMismatch: {
    weight: 85,
    what: (url, resource) => sentence('The metadata at {0} is for another resource: {1}.', url, resource),
    remedy: sentence('The member "resource" must be the address of the agent (RFC 9728 §3.3).'),
  },
  resourceWithoutServer: {
    weight: 75,
    what: url => sentence('The metadata at {0} names no authorization server.', url),
    remedy: sentence('Name it in "authorization_servers" (RFC 9728 §2).'),
  },
  redirected: {
    weight: 80,
    what: url => sentence('{0} redirects to another address, and sign-in does not follow redirects.', url),
    remedy: sentence('Enter the address of the metadata.'),
  },
  serverMissing: {
    weight: 80,
    what: issuer => sentence('The authorization server {0} has no metadata.', issuer),
    remedy: sentence('Serve it under /.well-known/oauth-authorization-server or /.well-known/openid-configuration (RFC 8414 §3).'),
  },
  serverUnreadable: {
    weight: 80,
    what: url => sentence('The metadata at {0} is not a JSON object.', url),
    remedy: runs,
  },
  issuerMismatch: {
    weight: 85,
    what: (expected, issuer) => sentence('The authorization server identifies itself as {1}, but was found as {0}.', expected, issuer),
    remedy: sentence('The issuer must be the same text in both places, down to the last slash (RFC 8414 §3.3).'),
  },
  noEndpoint: {
    weight: 75,
    what: name => sentence('The authorization server names no {0}.', name),
    remedy: runs,
  },
  badEndpoint: {
    weight: 75,
    what: name => sentence('The {0} of the authorization server is not an address.', name),
    remedy: runs,
  },
  plainHttp: {
    weight: 78,
    what: url => sentence('{0} has no TLS, so anyone could read the credentials.', url),
    remedy: sentence('Serve it with https.'),
  },
  noServer: {
    weight: 76,
    what: () => sentence('Neither the agent card nor the agent names the authorization server that issues its tokens.'),
    remedy: sentence('Name its metadata in the card (oauth2MetadataUrl), or serve protected resource metadata (RFC 9728).'),
  },
  noPkce: {
    weight: 70,
    what: () => sentence('The authorization server does not support PKCE with S256.'),
    remedy: sentence('Support it: without it a code could be stolen (RFC 7636, RFC 9700 §2.1.1).'),
  },
  noGrant: {
    weight: 70,
    what: (flow, offered) => sentence('The card requires {0}, and the authorization server offers only {1}.', flow, offered),
    remedy: sentence('Allow the grant type at the authorization server, or offer another flow in the card.'),
  },
  unknownScope: {
    weight: 40,
    what: scope => sentence('The card asks for the scope "{0}", which the authorization server does not list.', scope),
    remedy: sentence('Correct the scopes of the card, or define the scope at the authorization server.'),
  },
  noRegistration: {
    weight: 10,
    what: () => sentence('The authorization server does not register clients automatically.'),
    remedy: sentence('Register a client there, and sign in with its client id.'),
  },
  clientAuthentication: {
    weight: 65,
    what: methods => sentence('The token endpoint authenticates clients only by {0}, which is not supported here.', methods),
    remedy: sentence('Allow client_secret_basic, client_secret_post or public clients for this client.'),
  },
  invalidClient: {
    weight: 95,
    what: () => sentence('The authorization server does not accept the client: its id, its secret, or how they are sent.'),
    remedy: sentence('Check client id and secret, and token_endpoint_auth_methods_supported.'),
  },
  unauthorizedClient: {
    weight: 95,
    what: () => sentence('The authorization server does not allow this flow for this client.'),
    remedy: sentence('Allow the grant type for the client at the authorization server.'),
  },
  invalidScope: {
    weight: 95,
    what: () => sentence('The authorization server refuses the scopes of the card.'),
    remedy: sentence('Allow these scopes for the client, or correct them in the card.'),
  },
  invalidTarget: {
    weight: 95,
    what: () => sentence('The authorization server issues no tokens for this agent (resource).'),
    remedy: sentence('Register the address of the agent as a resource there (RFC 8707).'),
  },
  unsupportedGrant: {
    weight: 95,
    what: () => sentence('The token endpoint does not support the grant type.'),
    remedy: sentence('Allow the grant type at the authorization server, or offer another flow in the card.'),
  },
  redirectUri: {
    weight: 95,
    what: () => sentence('The authorization server refuses the request, most often because of its redirect address.'),
    remedy: sentence('Register http://127.0.0.1/callback with any port for the client (RFC 8252 §7.3).'),
  },
  denied: {
    weight: 95,
    what: () => sentence('The sign-in was denied in the browser.'),
    remedy: sentence('Sign in again and allow what the agent requests.'),
  },
  noReturn: {
    weight: 93,
    what: () => sentence('The browser did not return from the authorization server, most often because of the redirect address.'),
    remedy: sentence('Register http://127.0.0.1/callback with any port for the client (RFC 8252 §7.3).'),
  },
  notFetched: {
    weight: 99,
    what: origin => sentence('Nothing was fetched from {0}: you have not approved it for this agent.', origin),
    remedy: hint(
      sentence('Explain the sign-in again, and approve it if you know it.'),
      'Give the command --allow-origin with it if you know it.',
    ),
  },
  notApproved: {
    weight: 90,
    what: () => sentence('Nothing was sent to the authorization server: you have not approved it for this agent.'),
    remedy: sentence('Sign in again, and approve it if you trust it.'),
  },
  registrationRefused: {
    weight: 91,
    what: () => sentence('The authorization server does not register A2A Workbench as a client.'),
    remedy: sentence('Register a client there yourself, and sign in with its client id.'),
  },
  tokenTimes: {
    weight: 92,
    what: () => sentence('The times in the token do not match the clock of this machine.'),
    remedy: sentence('Set both clocks by a time server.'),
  },
  idToken: {
    weight: 91,
    what: () => sentence('The ID token is not meant for this client, or is from another issuer.'),
    remedy: runs,
  },
  tokenType: {
    weight: 91,
    what: () => sentence('The authorization server issues tokens of a type that cannot be sent; only Bearer can be sent.'),
    remedy: sentence(
      'Let the authorization server issue Bearer tokens to this client, as no other type can be sent, or choose another way to sign in.',
    ),
  },
  refused: {
    weight: 90,
    what: code => sentence('The authorization server refused: {0}.', code),
    remedy: sentence("Ask the authorization server's operator."),
  },
  notOAuth: {
    weight: 90,
    what: url => sentence('{0} does not answer as OAuth 2.0 requires.', url),
    remedy: sentence('Check that it is the token endpoint, and that it answers with JSON (RFC 6749 §5.1).'),
  },
  noToken: {
    weight: 5,
    what: () => sentence('You are not signed in, so the last steps were not tested.'),
    remedy: sentence('Sign in, and explain it once more.'),
  },
  expired: {
    weight: 88,
    what: when => sentence('The token expired {0}.', when),
    remedy: sentence('Sign in again.'),
  },
  clock: {
    weight: 92,
    what: seconds => sentence('The clocks of this machine and of the server are {0} s apart.', seconds),
    remedy: sentence('Set both clocks by a time server.'),
  },
  notYetValid: {
    weight: 89,
    what: when => sentence('The token is valid only {0}.', when),
    remedy: sentence('Set the clocks of this machine and of the authorization server.'),
  },
  audience: {
    weight: 87,
    what: audience => sentence('The token is for {0} and not for this agent.', audience),
    remedy: sentence('Ask for it with the address of the agent as resource (RFC 8707), or set its audience at the authorization server.'),
  },
  tokenIssuer: {
    weight: 86,
    what: (issuer, expected) => sentence('The token was issued by {0}, and not by {1}.', issuer, expected),
    remedy: sentence('Name the right issuer in the card and in the metadata of the agent.'),
  },
  missingScope: {
    weight: 84,
    what: scope => sentence('The token does not have the scope "{0}".', scope),
    remedy: sentence('Allow the scope for the client, and sign in again.'),
  },
  insufficientScope: {
    weight: 83,
    what: scope => sentence('The agent requires scopes that the token does not have: {0}.', scope),
    remedy: sentence('Add them to the scopes of the card, and sign in again.'),
  },
  forbidden: {
    weight: 81,
    what: () => sentence('The agent accepts the token, but does not allow this account to do this (HTTP 403).'),
    remedy: sentence('Sign in with another account, or get this one allowed.'),
  },
  tokenRefused: {
    weight: 70,
    what: why => sentence('The agent does not accept the token: {0}', why),
    remedy: sentence('Check which issuer, audience and keys the agent expects.'),
  },
  credentialRefused: {
    weight: 71,
    what: name =>
      sentence('The agent refused the credential that was sent as "{0}": it is wrong, was replaced, or is meant for another agent.', name),
    remedy: hint(
      sentence('Replace it: sign in again with "A2A: Sign In…", or correct the header of the agent\'s settings.'),
      'Replace it: with a2a auth login URL, or where the header or the environment variable that it is from is set.',
    ),
  },
  refreshRefused: {
    weight: 82,
    what: () => sentence('The authorization server does not accept the refresh token.'),
    remedy: sentence('Sign in again. If it happens often, check how long refresh tokens live, and whether each can be used only once.'),
  },
} satisfies Readonly<Record<string, Row>>;

export type CauseId = keyof typeof rows;

/**
 * Causes of failed sign-ins, each with its remedy.
 *
 * To add one: a row here, whose weight says how likely it is beside others; where it is found (`metadataChecks.ts`, `metadataSteps.ts`,
 * `tokenChecks.ts` or `tokenSteps.ts`); a row of `test/component/auth/doctor.test.ts`, where it has to come first. A remedy for terminals
 * alone is a `hint`.
 */
export const causes: Readonly<Record<CauseId, Row>> = rows;
