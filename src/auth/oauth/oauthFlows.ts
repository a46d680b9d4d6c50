import * as oauth from 'oauth4webapi';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, sentence } from '../../protocol/problem.ts';
import { SignInCanceled } from '../signInCanceled.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import type { OAuthFlow } from '../signInPlan.ts';
import type { SignInRecipient } from '../signInRecipient.ts';
import { discover, type CardEndpoints } from './discovery.ts';
import { clientFor } from './clientOfSignIn.ts';
import { asClient, clientOf } from './oauthClients.ts';
import { oauthFetch, requireTls, type OAuthContext } from './oauthFetch.ts';
import { oauthCodeOf, oauthProblem } from './oauthProblem.ts';
import { isAtTokenEndpoint, type OAuthClient, type OAuthTokens } from './oauthTokens.ts';
import { notApproved, recipientsOf } from './recipients.ts';
import { accountByUserInfo, tokensOf } from './tokenAnswer.ts';

interface OAuthSignIn {
  readonly context: Omit<OAuthContext, 'requireOrigin'>;
  /**
   * Called with every origin of the sign-in before one of them gets anything, and with the scopes that may be requested. Rejects with a
   * `Problem` where the person does not approve.
   */
  readonly requireRecipients: (recipients: readonly SignInRecipient[], scopes: readonly string[]) => Promise<void>;
  readonly flow: OAuthFlow;
  /** Address of the agent; the tokens are for it. */
  readonly agentUrl: string;
  /** `WWW-Authenticate` of the agent, if it sent one. */
  readonly challenge?: string | undefined;
  /** Address of the request that was challenged, if not `agentUrl`. */
  readonly challengedUrl?: string | undefined;
  readonly card: CardEndpoints;
  /** Name of the scheme in the card. */
  readonly scheme: string;
  readonly scopes: readonly string[];
  readonly openId: boolean;
  readonly prompts: Pick<SignInPrompts, 'type' | 'openBrowser' | 'showDeviceCode' | 'redirects'>;
  /** Tokens of an earlier sign-in at the same agent: its client is used again at the same server, where the person gave it. */
  readonly before?: Pick<OAuthTokens, 'client' | 'issuer' | 'tokenEndpoint'> | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Gets tokens of OAuth 2.0: authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252), device code (RFC 8628) or client credentials
 * (RFC 6749 §4.4). Rejects with a `Problem`; `sign-in-canceled` where the person does not go on.
 */
export async function signInByOAuth(given: OAuthSignIn): Promise<OAuthTokens> {
  try {
    let possible = wantedScopes(given, undefined, []);
    const { server, resource, scopes } = await discover(
      {
        ...given.context,
        requireOrigin: ({ origin }) => given.requireRecipients([{ origin, uses: [] }], possible),
      },
      {
        ...given,
        requireServer: asked => given.requireRecipients(recipientsOf(asked, given.flow, possible), possible),
        onScopes: asked => {
          possible = wantedScopes(given, undefined, asked);
        },
      },
    );
    const wanted = wantedScopes(given, server, scopes);
    const recipients = recipientsOf(server, given.flow, wanted);
    await given.requireRecipients(recipients, wanted);
    const context = onlyTo(recipients, given.context);
    const request = { ...given, context, server, resource, wanted, now: given.now ?? Date.now };
    const tokens = await byFlow[given.flow](request);
    const { refreshUrl } = given.card;
    return refreshUrl === undefined || tokens.refreshToken === undefined || !isAtTokenEndpoint(refreshUrl, tokens)
      ? tokens
      : { ...tokens, refreshEndpoint: refreshUrl };
  } catch (error) {
    throw oauthProblem(error);
  }
}

/** Context limited to the recipients: an origin that was approved for something else, such as the agent's own, gets nothing of this sign-in. */
function onlyTo(recipients: readonly SignInRecipient[], context: OAuthSignIn['context']): OAuthContext {
  const origins = new Set(recipients.map(({ origin }) => origin));
  return { ...context, requireOrigin: url => (origins.has(url.origin) ? Promise.resolve() : Promise.reject(notApproved([url.origin]))) };
}

interface Request extends OAuthSignIn {
  readonly context: OAuthContext;
  readonly server: oauth.AuthorizationServer;
  readonly resource: string | undefined;
  readonly wanted: readonly string[];
  readonly now: () => number;
}

/**
 * The scopes of the card and of the challenge; for a person also what brings a name and a refresh token, where the server has that or is not
 * known yet. Each is one as the server reads it, whatever spaces a card has in them.
 */
function wantedScopes(
  { scopes, openId, flow }: OAuthSignIn,
  server: oauth.AuthorizationServer | undefined,
  asked: readonly string[],
): readonly string[] {
  const renews = server === undefined || server.scopes_supported?.includes('offline_access') === true;
  const forPerson = flow === 'clientCredentials' ? [] : [...(openId ? ['openid'] : []), ...(renews ? ['offline_access'] : [])];
  return [...new Set([...scopes, ...asked, ...forPerson].flatMap(scope => scope.split(' ').filter(each => each !== '')))];
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
        nextStep: sentence("Ask the authorization server's operator to support it."),
      },
    );
  const address = new URL(server.authorization_endpoint);
  requireTls(address);
  const receiver = await prompts.redirects();
  try {
    const client = await clientFor(request, receiver.uri);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = wanted.includes('openid') ? oauth.generateRandomNonce() : undefined;
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
      // Servers of OpenID Connect issue a refresh token only after consent (OpenID Connect Core §11).
      prompt: wanted.includes('offline_access') ? 'consent' : undefined,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) address.searchParams.set(name, value);
    const signal = context.signal ?? new AbortController().signal;
    const answering = receiver.received(state, signal);
    answering.catch(() => {});
    await context.requireOrigin(address);
    if (!(await prompts.openBrowser(address.href))) throw new SignInCanceled();
    const answered = oauth.validateAuthResponse(server, clientOf(client), await answering, state);
    const [answer, accepted] = await asClient(client, async auth => {
      const response = await oauth.authorizationCodeGrantRequest(server, clientOf(client), auth, answered, receiver.uri, verifier, {
        ...options(request),
        ...(resource !== undefined && { additionalParameters: { resource } }),
      });
      return oauth.processAuthorizationCodeResponse(server, clientOf(client), response, {
        ...(nonce === undefined ? {} : { expectedNonce: nonce }),
      });
    });
    return await named(request, accepted, answer, now());
  } finally {
    await receiver.close();
  }
}

/** Longest time that a code for a device is waited for, in seconds. */
const maxDeviceSeconds = 60 * 60;
/** Longest code that a person types and longest address of its page, in characters. */
const maxUserCode = 64;
const maxVerificationUri = 2_000;

async function byDeviceCode(request: Request): Promise<OAuthTokens> {
  const { server, context, prompts, wanted, resource, now } = request;
  if (server.device_authorization_endpoint === undefined) throw lacking('device_authorization_endpoint');
  const given = await clientFor(request, undefined);
  const parameters = { ...(wanted.length > 0 && { scope: wanted.join(' ') }), ...(resource !== undefined && { resource }) };
  const begin = async (auth: oauth.ClientAuth): Promise<oauth.DeviceAuthorizationResponse> => {
    const response = await oauth.deviceAuthorizationRequest(server, clientOf(given), auth, parameters, options(request));
    return oauth.processDeviceAuthorizationResponse(server, clientOf(given), response);
  };
  const [begun, accepted] = await asClient(given, begin);
  let client = accepted;
  context.onSecret?.(begun.device_code);
  if (
    begun.user_code.length > maxUserCode ||
    /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(begun.user_code) ||
    begun.verification_uri.length > maxVerificationUri
  )
    throw new Problem('sign-in-answer', sentence('The authorization server issued a code that cannot be typed.'), {
      nextStep: sentence('Choose another way to sign in.'),
    });
  const expiresAt = now() + Math.min(begun.expires_in, maxDeviceSeconds) * 1000;
  const complete = completeAddress(begun);
  const shown = new AbortController();
  try {
    await prompts.showDeviceCode(
      {
        userCode: begun.user_code,
        verificationUri: begun.verification_uri,
        ...(complete !== undefined && { verificationUriComplete: complete }),
        expiresAt,
      },
      shown.signal,
    );
    // RFC 8628 §3.5: five seconds by default, and five more for each `slow_down`.
    let interval = begun.interval ?? 5;
    for (;;) {
      if (now() + interval * 1000 > expiresAt)
        throw new Problem('oauth-expired_token', sentence('The code expired before you had signed in.'), {
          nextStep: sentence('Sign in again.'),
        });
      await sleep(interval * 1000, undefined, { signal: context.signal }).catch(() => {
        throw new SignInCanceled();
      });
      // Whether the client is accepted shows as well where the person has not signed in yet.
      const [answer, taken] = await asClient(client, auth => askForDevice(request, client, auth, begun.device_code));
      client = taken;
      if (typeof answer !== 'string') return await named(request, client, answer, now());
      if (answer === 'slow_down') interval += 5;
      // A lower bound, whatever interval the server names.
      interval = Math.max(interval, 1);
    }
  } finally {
    shown.abort();
  }
}

/** Requests the tokens of a device code once. Resolves with the code of RFC 8628 §3.5 where the request is to be repeated. */
async function askForDevice(
  request: Request,
  client: OAuthClient,
  auth: oauth.ClientAuth,
  deviceCode: string,
): Promise<oauth.TokenEndpointResponse | 'slow_down' | 'authorization_pending'> {
  const { server } = request;
  try {
    const response = await oauth.deviceCodeGrantRequest(server, clientOf(client), auth, deviceCode, options(request));
    return await oauth.processDeviceCodeResponse(server, clientOf(client), response);
  } catch (error) {
    const code = oauthCodeOf(oauthProblem(error));
    if (code === 'slow_down' || code === 'authorization_pending') return code;
    throw error;
  }
}

/**
 * Address with the code in it, so that the person need not type it. The page that is opened has to be the one that is shown.
 * @throws Problem `sign-in-metadata`, or as `requireTls`
 */
function completeAddress({
  verification_uri: address,
  verification_uri_complete: complete,
}: Pick<oauth.DeviceAuthorizationResponse, 'verification_uri' | 'verification_uri_complete'>): string | undefined {
  if (!URL.canParse(address)) throw lacking('verification_uri');
  const shown = new URL(address);
  requireTls(shown);
  const isThere = complete !== undefined && URL.canParse(complete) && new URL(complete).origin === shown.origin;
  if (!isThere) return undefined;
  requireTls(new URL(complete));
  return complete;
}

async function byClientCredentials(request: Request): Promise<OAuthTokens> {
  const { server, wanted, resource, now } = request;
  const given = await clientFor(request, undefined);
  const parameters = { ...(wanted.length > 0 && { scope: wanted.join(' ') }), ...(resource !== undefined && { resource }) };
  const [answer, client] = await asClient(given, async auth => {
    const response = await oauth.clientCredentialsGrantRequest(server, clientOf(given), auth, parameters, options(request));
    return oauth.processClientCredentialsResponse(server, clientOf(given), response);
  });
  return tokensOf({ server, client, answer, scopes: wanted, resource, at: now() });
}

const byFlow: Readonly<Record<OAuthFlow, (request: Request) => Promise<OAuthTokens>>> = {
  authorizationCode: byAuthorizationCode,
  deviceCode: byDeviceCode,
  clientCredentials: byClientCredentials,
};

async function named(request: Request, client: OAuthClient, answer: oauth.TokenEndpointResponse, at: number): Promise<OAuthTokens> {
  const { server, resource, wanted, context } = request;
  const tokens = tokensOf({ server, client, answer, scopes: wanted, resource, at });
  const account = (await accountByUserInfo(context, { server, client, answer })) ?? tokens.account;
  return { ...tokens, ...(account !== undefined && { account }) };
}

const lacking = (endpoint: string): Problem =>
  new Problem('sign-in-metadata', sentence('The authorization server names no {0}.', endpoint), {
    nextStep: sentence('Choose another way to sign in.'),
  });
