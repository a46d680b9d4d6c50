import * as oauth from 'oauth4webapi';
import type { OAuthContext } from './oauthFetch.ts';
import { oauthFetch } from './oauthFetch.ts';
import { clientOf } from './oauthClients.ts';
import type { OAuthClient, OAuthTokens } from './oauthTokens.ts';

export interface TokenAnswer {
  readonly server: oauth.AuthorizationServer;
  readonly client: OAuthClient;
  readonly answer: oauth.TokenEndpointResponse;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What is kept of an answer of a token endpoint. */
export function tokensOf({ server, client, answer, scopes, resource, at }: TokenAnswer): OAuthTokens {
  const account = accountOf(oauth.getValidatedIdTokenClaims(answer));
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(answer.id_token !== undefined && { idToken: answer.id_token }),
    ...(answer.expires_in !== undefined && { expiresAt: at + answer.expires_in * 1000 }),
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

/** Whom the user info of OpenID Connect names; undefined where the server does not say. A sign-in does not fail for want of a name. */
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
