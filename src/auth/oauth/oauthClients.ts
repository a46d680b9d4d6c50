import * as oauth from 'oauth4webapi';
import { Problem, sentence } from '../../protocol/problem.ts';
import { oauthFetch, type OAuthContext } from './oauthFetch.ts';
import { oauthCodeOf, oauthProblem } from './oauthProblem.ts';
import type { ClientAuthentication, OAuthClient } from './oauthTokens.ts';

/** How the client shows the token endpoint who it is. */
function clientAuth({ authentication, secret = '' }: OAuthClient): oauth.ClientAuth {
  switch (authentication) {
    case 'client_secret_basic':
      return oauth.ClientSecretBasic(secret);
    case 'client_secret_post':
      return oauth.ClientSecretPost(secret);
    case 'none':
      return oauth.None();
  }
}

/** Codes of RFC 6749 §5.2 of servers that find no client, or not the right one, in the place where they look for it. */
const clientRefusals: ReadonlySet<string | undefined> = new Set(['invalid_client', 'invalid_request']);
const isRefusal = (error: unknown): boolean => clientRefusals.has(oauthCodeOf(oauthProblem(error)));

const otherPlace: Readonly<Record<ClientAuthentication, ClientAuthentication | undefined>> = {
  client_secret_basic: 'client_secret_post',
  client_secret_post: 'client_secret_basic',
  none: undefined,
};

/**
 * Asks an endpoint as the client and, where that refuses the client, once more with its secret in the other place (RFC 6749 §2.3.1). Resolves
 * with the answer and the client as it was accepted; rejects with the first error where both are refused.
 */
export async function asClient<T>(
  client: OAuthClient,
  ask: (auth: oauth.ClientAuth) => Promise<T>,
): Promise<readonly [answer: T, accepted: OAuthClient]> {
  try {
    return [await ask(clientAuth(client)), client];
  } catch (error) {
    const authentication = otherPlace[client.authentication];
    if (authentication === undefined || !isRefusal(error)) throw error;
    const other = { ...client, authentication };
    try {
      return [await ask(clientAuth(other)), other];
    } catch (again) {
      throw isRefusal(again) ? error : again;
    }
  }
}

export const clientOf = ({ id }: OAuthClient): oauth.Client => ({ client_id: id });

/** A client that the person gave, with what the server wants of it. RFC 8414 §2: without a list, servers take HTTP basic. */
export function givenClient(server: oauth.AuthorizationServer, id: string, secret: string | undefined): OAuthClient {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication: ClientAuthentication =
    secret === undefined
      ? 'none'
      : methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
        ? 'client_secret_basic'
        : 'client_secret_post';
  return { id, ...(secret !== undefined && { secret }), authentication, origin: 'given' };
}

/** True if the server has dynamic client registration (RFC 7591). */
export const registers = (server: oauth.AuthorizationServer): boolean => server.registration_endpoint !== undefined;

/** True if a client id may be the address of its metadata document (draft-ietf-oauth-client-id-metadata-document). */
export const takesDocuments = (server: oauth.AuthorizationServer): boolean => server['client_id_metadata_document_supported'] === true;

/** True for the address of a metadata document: with https, a path, and neither fragment nor user. */
export function isDocument(id: string): boolean {
  if (!URL.canParse(id)) return false;
  const { protocol, pathname, hash, username } = new URL(id);
  return protocol === 'https:' && pathname !== '/' && hash === '' && username === '';
}

/** Registers this program as a public native client (RFC 7591, RFC 8252 §8.4). Rejects with a `Problem`. */
export async function registerClient(
  context: OAuthContext,
  server: oauth.AuthorizationServer,
  redirectUri: string | undefined,
  scopes: readonly string[],
): Promise<OAuthClient> {
  try {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'A2A Workbench',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: [redirectUri === undefined ? 'urn:ietf:params:oauth:grant-type:device_code' : 'authorization_code', 'refresh_token'],
        ...(redirectUri === undefined
          ? { redirect_uris: [], response_types: [] }
          : { redirect_uris: [redirectUri], response_types: ['code'] }),
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      },
      { [oauth.customFetch]: oauthFetch(context), [oauth.allowInsecureRequests]: true },
    );
    const {
      client_id: id,
      client_secret: secret,
      token_endpoint_auth_method: method,
      client_secret_expires_at: expires,
    } = await oauth.processDynamicClientRegistrationResponse(response);
    const authentication =
      secret === undefined || method === 'none' ? 'none' : method === 'client_secret_post' ? method : 'client_secret_basic';
    return {
      id,
      ...(typeof secret === 'string' && authentication !== 'none' && { secret }),
      authentication,
      origin: 'registered',
      ...(typeof expires === 'number' && expires > 0 && { secretExpiresAt: expires * 1000 }),
    };
  } catch (error) {
    const problem = oauthProblem(error);
    if (!(problem instanceof Problem)) throw problem;
    throw new Problem(
      'sign-in-registration',
      sentence('The authorization server did not register A2A Workbench as a client: {0}', problem.sentence),
      {
        nextStep: sentence('Register a client there yourself, and sign in with its client id.'),
        cause: problem,
      },
    );
  }
}
