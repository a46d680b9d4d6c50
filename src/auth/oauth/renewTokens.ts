import * as oauth from 'oauth4webapi';
import { Problem, sentence } from '../../protocol/problem.ts';
import { asClient, clientOf } from './oauthClients.ts';
import { oauthFetch, type OAuthContext } from './oauthFetch.ts';
import { oauthProblem } from './oauthProblem.ts';
import { isAtTokenEndpoint, type OAuthTokens } from './oauthTokens.ts';
import { tokensOf } from './tokenAnswer.ts';

/** New tokens for the refresh token, requested like the first ones (RFC 6749 §6). Rejects with a `Problem`. */
export async function refreshTokens(tokens: OAuthTokens, context: OAuthContext, now: () => number = Date.now): Promise<OAuthTokens> {
  const { client, refreshToken, tokenEndpoint, refreshEndpoint, issuer, resource, scopes } = tokens;
  if (refreshToken === undefined)
    throw new Problem('oauth-invalid_grant', sentence('The sign-in has expired.'), { nextStep: sentence('Sign in again.') });
  // RFC 6749 §6: the token endpoint refreshes, whatever else is named for it.
  const endpoint = refreshEndpoint !== undefined && isAtTokenEndpoint(refreshEndpoint, tokens) ? refreshEndpoint : tokenEndpoint;
  const server: oauth.AuthorizationServer = { issuer: issuer ?? new URL(tokenEndpoint).origin, token_endpoint: endpoint };
  try {
    const [answer, accepted] = await asClient(client, async auth => {
      const response = await oauth.refreshTokenGrantRequest(server, clientOf(client), auth, refreshToken, {
        [oauth.customFetch]: oauthFetch(context),
        [oauth.allowInsecureRequests]: true,
        ...(resource !== undefined && { additionalParameters: { resource } }),
      });
      return oauth.processRefreshTokenResponse(server, clientOf(client), response);
    });
    const renewed = tokensOf({ server, client, answer, scopes, resource, at: now() });
    return {
      ...tokens,
      accessToken: renewed.accessToken,
      tokenType: renewed.tokenType,
      scopes: renewed.scopes,
      refreshToken: renewed.refreshToken ?? refreshToken,
      // A new one is a secret as the first was, and is masked only where it is known.
      ...(renewed.idToken !== undefined && { idToken: renewed.idToken }),
      expiresAt: renewed.expiresAt,
      client: accepted,
    };
  } catch (error) {
    throw oauthProblem(error);
  }
}

/** Anew for a program, which needs no person. Rejects with a `Problem`. */
export async function repeatClientCredentials(
  tokens: OAuthTokens,
  context: OAuthContext,
  now: () => number = Date.now,
): Promise<OAuthTokens> {
  const { client, tokenEndpoint, issuer, resource, scopes } = tokens;
  const server: oauth.AuthorizationServer = { issuer: issuer ?? new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint };
  try {
    const parameters = { ...(scopes.length > 0 && { scope: scopes.join(' ') }), ...(resource !== undefined && { resource }) };
    const [answer, accepted] = await asClient(client, async auth => {
      const response = await oauth.clientCredentialsGrantRequest(server, clientOf(client), auth, parameters, {
        [oauth.customFetch]: oauthFetch(context),
        [oauth.allowInsecureRequests]: true,
      });
      return oauth.processClientCredentialsResponse(server, clientOf(client), response);
    });
    return { ...tokens, ...tokensOf({ server, client: accepted, answer, scopes, resource, at: now() }) };
  } catch (error) {
    throw oauthProblem(error);
  }
}

/** Tells the server that the tokens are no longer needed (RFC 7009). Rejects with a `Problem`. */
export async function revokeTokens(tokens: OAuthTokens, context: OAuthContext): Promise<void> {
  const { client, revocationEndpoint, issuer, tokenEndpoint } = tokens;
  if (revocationEndpoint === undefined) return;
  const server: oauth.AuthorizationServer = { issuer: issuer ?? new URL(tokenEndpoint).origin, revocation_endpoint: revocationEndpoint };
  try {
    await asClient(client, async auth => {
      const response = await oauth.revocationRequest(server, clientOf(client), auth, tokens.refreshToken ?? tokens.accessToken, {
        [oauth.customFetch]: oauthFetch(context),
        [oauth.allowInsecureRequests]: true,
      });
      await oauth.processRevocationResponse(response);
    });
  } catch (error) {
    throw oauthProblem(error);
  }
}
