import * as oauth from 'oauth4webapi';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import type { OAuthFlow } from '../signInPlan.ts';
import { discover, type CardEndpoints } from './discovery.ts';
import { clientAuth, clientOf, givenClient, registerClient, registers } from './oauthClients.ts';
import { oauthFetch, type OAuthContext } from './oauthFetch.ts';
import { oauthCodeOf, oauthProblem } from './oauthProblem.ts';
import type { OAuthClient, OAuthTokens } from './oauthTokens.ts';
import { accountByUserInfo, tokensOf } from './tokenAnswer.ts';

export interface OAuthSignIn {
  readonly context: OAuthContext;
  readonly flow: OAuthFlow;
  /** Address of the agent; the tokens are for it. */
  readonly agentUrl: string;
  /** `WWW-Authenticate` of the agent, if it sent one. */
  readonly challenge?: string | undefined;
  readonly card: CardEndpoints;
  /** Name of the scheme in the card. */
  readonly scheme: string;
  readonly scopes: readonly string[];
  readonly openId: boolean;
  readonly prompts: Pick<SignInPrompts, 'type' | 'openBrowser' | 'showDeviceCode' | 'redirects'>;
  /** Of an earlier sign-in at the same agent: used again where the person gave it. */
  readonly knownClient?: OAuthClient | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The person has canceled. */
export class SignInCanceled extends Problem {
  constructor() {
    super('sign-in-canceled', sentence('The sign-in was canceled.'));
    this.name = 'SignInCanceled';
  }
}

/**
 * Gets tokens of OAuth 2.0: authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252), device code (RFC 8628) or client credentials
 * (RFC 6749 §4.4). Rejects with a `Problem`; `sign-in-canceled` where the person does not go on.
 */
export async function signInByOAuth(given: OAuthSignIn): Promise<OAuthTokens> {
  try {
    const { server, resource, scopes } = await discover(given.context, given);
    const wanted = wantedScopes(given, server, scopes);
    const request = { ...given, server, resource, wanted, now: given.now ?? Date.now };
    switch (given.flow) {
      case 'authorizationCode':
        return await byAuthorizationCode(request);
      case 'deviceCode':
        return await byDeviceCode(request);
      case 'clientCredentials':
        return await byClientCredentials(request);
    }
  } catch (error) {
    throw oauthProblem(error);
  }
}

interface Request extends OAuthSignIn {
  readonly server: oauth.AuthorizationServer;
  readonly resource: string | undefined;
  readonly wanted: readonly string[];
  readonly now: () => number;
}

/** The scopes of the card and of the challenge; for a person also what brings a name and a refresh token, where the server has that. */
function wantedScopes(
  { scopes, openId, flow }: OAuthSignIn,
  server: oauth.AuthorizationServer,
  asked: readonly string[],
): readonly string[] {
  const supported = server.scopes_supported ?? [];
  const forPerson =
    flow === 'clientCredentials'
      ? []
      : [...(openId ? ['openid'] : []), ...(supported.includes('offline_access') ? ['offline_access'] : [])];
  return [...new Set([...scopes, ...(scopes.length > 0 && asked.length === 0 ? [] : asked), ...forPerson])];
}

const options = ({ context }: Request) => ({
  [oauth.customFetch]: oauthFetch(context),
  // `oauthFetch` refuses what has no TLS and is not on this machine.
  [oauth.allowInsecureRequests]: true,
  ...(context.signal !== undefined && { signal: context.signal }),
});

async function byAuthorizationCode(request: Request): Promise<OAuthTokens> {
  const { server, context, prompts, wanted, resource, now } = request;
  if (server.authorization_endpoint === undefined) throw lacking('authorization_endpoint');
  const methods = server.code_challenge_methods_supported;
  if (methods !== undefined && !methods.includes('S256'))
    throw new Problem(
      'sign-in-pkce',
      sentence('The authorization server does not support PKCE with S256 (RFC 7636), without which a code could be stolen.'),
      {
        nextStep: sentence('Ask whoever runs the authorization server to support it.'),
      },
    );
  const receiver = await prompts.redirects();
  try {
    const client = await clientFor(request, receiver.uri);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = wanted.includes('openid') ? oauth.generateRandomNonce() : undefined;
    const address = new URL(server.authorization_endpoint);
    const parameters: Readonly<Record<string, string | undefined>> = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: receiver.uri,
      scope: wanted.join(' ') || undefined,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      resource,
      // Servers of OpenID Connect give a refresh token only after they have asked (OpenID Connect Core §11).
      prompt: wanted.includes('offline_access') ? 'consent' : undefined,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) address.searchParams.set(name, value);
    const signal = context.signal ?? new AbortController().signal;
    const answering = receiver.received(state, signal);
    answering.catch(() => {});
    await context.requireOrigin(address);
    if (!(await prompts.openBrowser(address.href))) throw new SignInCanceled();
    const answered = oauth.validateAuthResponse(server, clientOf(client), await answering, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      clientOf(client),
      clientAuth(client),
      answered,
      receiver.uri,
      verifier,
      {
        ...options(request),
        ...(resource !== undefined && { additionalParameters: { resource } }),
      },
    );
    const answer = await oauth.processAuthorizationCodeResponse(server, clientOf(client), response, {
      ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    });
    return await named(request, client, answer, now());
  } finally {
    await receiver.close();
  }
}

async function byDeviceCode(request: Request): Promise<OAuthTokens> {
  const { server, context, prompts, wanted, resource, now } = request;
  if (server.device_authorization_endpoint === undefined) throw lacking('device_authorization_endpoint');
  const client = await clientFor(request, undefined);
  const parameters = { ...(wanted.length > 0 && { scope: wanted.join(' ') }), ...(resource !== undefined && { resource }) };
  const begun = await oauth.processDeviceAuthorizationResponse(
    server,
    clientOf(client),
    await oauth.deviceAuthorizationRequest(server, clientOf(client), clientAuth(client), parameters, options(request)),
  );
  const expiresAt = now() + begun.expires_in * 1000;
  const shown = new AbortController();
  try {
    await prompts.showDeviceCode(
      {
        userCode: begun.user_code,
        verificationUri: begun.verification_uri,
        ...(begun.verification_uri_complete !== undefined && { verificationUriComplete: begun.verification_uri_complete }),
        expiresAt,
      },
      shown.signal,
    );
    // RFC 8628 §3.5: five seconds where the server does not say, and five more each time it says so.
    let interval = begun.interval ?? 5;
    for (;;) {
      if (now() + interval * 1000 > expiresAt)
        throw new Problem('oauth-expired_token', sentence('The code expired before you had signed in.'), {
          nextStep: sentence('Sign in again.'),
        });
      await sleep(interval * 1000, undefined, { signal: context.signal }).catch(() => {
        throw new SignInCanceled();
      });
      try {
        const response = await oauth.deviceCodeGrantRequest(
          server,
          clientOf(client),
          clientAuth(client),
          begun.device_code,
          options(request),
        );
        return await named(request, client, await oauth.processDeviceCodeResponse(server, clientOf(client), response), now());
      } catch (error) {
        const code = oauthCodeOf(oauthProblem(error));
        if (code === 'slow_down') interval += 5;
        else if (code !== 'authorization_pending') throw error;
      }
    }
  } finally {
    shown.abort();
  }
}

async function byClientCredentials(request: Request): Promise<OAuthTokens> {
  const { server, wanted, resource, now } = request;
  const client = await clientFor(request, undefined);
  const parameters = { ...(wanted.length > 0 && { scope: wanted.join(' ') }), ...(resource !== undefined && { resource }) };
  const response = await oauth.clientCredentialsGrantRequest(server, clientOf(client), clientAuth(client), parameters, options(request));
  const answer = await oauth.processClientCredentialsResponse(server, clientOf(client), response);
  return tokensOf({ server, client, answer, scopes: wanted, resource, at: now() });
}

async function named(request: Request, client: OAuthClient, answer: oauth.TokenEndpointResponse, at: number): Promise<OAuthTokens> {
  const { server, resource, wanted, context } = request;
  const tokens = tokensOf({ server, client, answer, scopes: wanted, resource, at });
  const account = (await accountByUserInfo(context, { server, client, answer })) ?? tokens.account;
  return { ...tokens, ...(account !== undefined && { account }) };
}

/** The client that the person gave before, one that is registered now, or one that the person gives. */
async function clientFor(request: Request, redirectUri: string | undefined): Promise<OAuthClient> {
  const { server, knownClient, prompts, flow, scheme, context, wanted } = request;
  if (knownClient?.origin === 'given') return knownClient;
  const program = flow === 'clientCredentials';
  if (!program && registers(server)) return registerClient(context, server, redirectUri, wanted);
  const id = await prompts.type({
    name: 'client-id',
    title: sentence('Client ID'),
    prompt: sentence('Id of a client that is registered at {0} for "{1}".', server.issuer, scheme),
    secret: false,
    ...(knownClient !== undefined && { suggested: knownClient.id }),
  });
  if (id === undefined || id === '') throw new SignInCanceled();
  const secret = await prompts.type({
    name: 'client-secret',
    title: sentence('Client Secret'),
    prompt: program ? sentence('Secret of the client.') : sentence('Secret of the client. Leave it empty for a public client.'),
    secret: true,
    optional: !program,
  });
  if (secret === undefined || (program && secret === '')) throw new SignInCanceled();
  return givenClient(server, id, secret === '' ? undefined : secret);
}

const lacking = (endpoint: string): Problem =>
  new Problem('sign-in-metadata', sentence('The authorization server names no {0}.', endpoint), {
    nextStep: sentence('Choose another way to sign in.'),
  });

/** New tokens for the refresh token, asked for as the first ones were (RFC 6749 §6). Rejects with a `Problem`. */
export async function refreshTokens(tokens: OAuthTokens, context: OAuthContext, now: () => number = Date.now): Promise<OAuthTokens> {
  const { client, refreshToken, tokenEndpoint, issuer, resource, scopes } = tokens;
  if (refreshToken === undefined)
    throw new Problem('oauth-invalid_grant', sentence('The sign-in is over.'), { nextStep: sentence('Sign in again.') });
  const server: oauth.AuthorizationServer = { issuer: issuer ?? new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint };
  try {
    const response = await oauth.refreshTokenGrantRequest(server, clientOf(client), clientAuth(client), refreshToken, {
      [oauth.customFetch]: oauthFetch(context),
      [oauth.allowInsecureRequests]: true,
      ...(resource !== undefined && { additionalParameters: { resource } }),
    });
    const answer = await oauth.processRefreshTokenResponse(server, clientOf(client), response);
    const renewed = tokensOf({ server, client, answer, scopes, resource, at: now() });
    return {
      ...tokens,
      accessToken: renewed.accessToken,
      tokenType: renewed.tokenType,
      scopes: renewed.scopes,
      refreshToken: renewed.refreshToken ?? refreshToken,
      expiresAt: renewed.expiresAt,
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
    const response = await oauth.clientCredentialsGrantRequest(server, clientOf(client), clientAuth(client), parameters, {
      [oauth.customFetch]: oauthFetch(context),
      [oauth.allowInsecureRequests]: true,
    });
    const answer = await oauth.processClientCredentialsResponse(server, clientOf(client), response);
    return { ...tokens, ...tokensOf({ server, client, answer, scopes, resource, at: now() }) };
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
    const response = await oauth.revocationRequest(
      server,
      clientOf(client),
      clientAuth(client),
      tokens.refreshToken ?? tokens.accessToken,
      {
        [oauth.customFetch]: oauthFetch(context),
        [oauth.allowInsecureRequests]: true,
      },
    );
    await oauth.processRevocationResponse(response);
  } catch (error) {
    throw oauthProblem(error);
  }
}
