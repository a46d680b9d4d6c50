import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import type { OAuthFlow } from '../signInPlan.ts';
import type { CauseId } from './causes.ts';
import type { Json } from './look.ts';

/** A cause that was found, with what it is about. */
export interface FoundCause {
  readonly id: CauseId;
  readonly args?: readonly string[];
}

const grantTypes: Readonly<Record<OAuthFlow, string>> = {
  authorizationCode: 'authorization_code',
  deviceCode: 'urn:ietf:params:oauth:grant-type:device_code',
  clientCredentials: 'client_credentials',
};
/** The endpoint that a flow begins at, beside the token endpoint. */
const beginsAt: Readonly<Record<OAuthFlow, string | undefined>> = {
  authorizationCode: 'authorization_endpoint',
  deviceCode: 'device_authorization_endpoint',
  clientCredentials: undefined,
};
const clientMethods = ['none', 'client_secret_basic', 'client_secret_post'];

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : undefined;

/** Causes in the metadata of an authorization server (RFC 8414 §2) that keep a flow from working. */
export function metadataCauses(server: Json, flow: OAuthFlow, scopes: readonly string[]): readonly FoundCause[] {
  const found: FoundCause[] = [];
  for (const name of ['token_endpoint', beginsAt[flow]]) {
    if (name === undefined) continue;
    const address = server[name];
    if (address === undefined) found.push({ id: 'noEndpoint', args: [name] });
    else if (typeof address !== 'string' || !URL.canParse(address)) found.push({ id: 'badEndpoint', args: [name] });
    else if (!isProtected(new URL(address))) found.push({ id: 'plainHttp', args: [address] });
  }
  // RFC 8414 §2: a server that lists none has these two.
  const grants = texts(server['grant_types_supported']) ?? ['authorization_code', 'implicit'];
  const isListed = server['grant_types_supported'] !== undefined;
  if (isListed && !grants.includes(grantTypes[flow])) found.push({ id: 'noGrant', args: [grantTypes[flow], grants.join(', ')] });
  const challenges = texts(server['code_challenge_methods_supported']);
  if (flow === 'authorizationCode' && challenges?.includes('S256') === false) found.push({ id: 'noPkce' });
  const methods = texts(server['token_endpoint_auth_methods_supported']);
  if (methods !== undefined && !methods.some(method => clientMethods.includes(method)))
    found.push({ id: 'clientAuthentication', args: [methods.join(', ')] });
  const known = texts(server['scopes_supported']);
  const unknown = known === undefined ? undefined : scopes.find(scope => !known.includes(scope));
  if (unknown !== undefined) found.push({ id: 'unknownScope', args: [unknown] });
  if (flow !== 'clientCredentials' && server['registration_endpoint'] === undefined) found.push({ id: 'noRegistration' });
  return found;
}

export const isProtected = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || isLoopback(hostname);
