import * as oauth from 'oauth4webapi';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { OAuthContext } from './oauthFetch.ts';
import { oauthFetch } from './oauthFetch.ts';
import { clientOf } from './oauthClients.ts';
import type { OAuthClient, OAuthTokens } from './oauthTokens.ts';
import { isBearer, unsendableToken } from './tokenType.ts';

interface TokenAnswer {
  readonly server: oauth.AuthorizationServer;
  readonly client: OAuthClient;
  readonly answer: oauth.TokenEndpointResponse;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Longest life of a token that is believed, in seconds: ten years. Any number may come, also one that no date has. */
const maxLife = 10 * 365 * 24 * 60 * 60;

/** Time at which a token expires, in milliseconds since 1970. @param seconds lifetime from the server, from 0 to any number */
const expiryOf = (at: number, seconds: number): number => at + Math.min(seconds, maxLife) * 1000;

/** Texts that a header can carry (RFC 6750 §2.1 allows fewer). */
const sendable = /^[\x21-\x7e]+$/;

/**
 * Tokens in the answer of a token endpoint.
 * @throws Problem `sign-in-token` or `sign-in-token-type` for a token that no request can carry
 */
export function tokensOf({ server, client, answer, scopes, resource, at }: TokenAnswer): OAuthTokens {
  if (!isBearer(answer.token_type)) throw unsendableToken(answer.token_type);
  if (!sendable.test(answer.access_token))
    throw new Problem('sign-in-token', sentence('The authorization server issued a token with characters that no request can carry.'), {
      nextStep: sentence("Ask the authorization server's operator."),
    });
  const account = accountOf(oauth.getValidatedIdTokenClaims(answer));
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(answer.id_token !== undefined && { idToken: answer.id_token }),
    ...(answer.expires_in !== undefined && { expiresAt: expiryOf(at, answer.expires_in) }),
    scopes: answer.scope?.split(' ').filter(Boolean) ?? scopes,
    ...(resource !== undefined && { resource }),
    ...(account !== undefined && { account }),
    issuer: server.issuer,
    tokenEndpoint: server.token_endpoint ?? '',
    ...(server.revocation_endpoint !== undefined && { revocationEndpoint: server.revocation_endpoint }),
    client,
  };
}

/** Longest name of an account, in characters. */
const maxAccount = 200;

const accountOf = (claims: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  ['preferred_username', 'email', 'name', 'sub']
    .map(name => claims?.[name])
    .find(value => typeof value === 'string' && value !== '')
    ?.toString()
    .slice(0, maxAccount);

/** Account in the user info of OpenID Connect; undefined where the server does not name one. A sign-in does not fail for want of a name. */
export async function accountByUserInfo(
  context: OAuthContext,
  answer: Omit<TokenAnswer, 'scopes' | 'resource' | 'at'>,
): Promise<string | undefined> {
  const { server, client, answer: tokens } = answer;
  const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub;
  if (server.userinfo_endpoint === undefined || subject === undefined) return undefined;
  const options = { [oauth.customFetch]: oauthFetch(context), [oauth.allowInsecureRequests]: true };
  try {
    const response = await oauth.userInfoRequest(server, clientOf(client), tokens.access_token, options);
    return accountOf({ ...(await oauth.processUserInfoResponse(server, clientOf(client), subject, response)) });
  } catch {
    return undefined;
  }
}
