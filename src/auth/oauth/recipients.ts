import type { AuthorizationServer } from 'oauth4webapi';
import { hint, listOf, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { OAuthFlow } from '../signInPlan.ts';
import type { RecipientUse, SignInRecipient } from '../signInRecipient.ts';
import { requireTls } from './oauthFetch.ts';

/** Uses without which there is no sign-in: an unusable address for one of them ends it. */
const needed: readonly RecipientUse[] = ['page', 'device', 'registration', 'token'];

/**
 * Every origin that takes part in a sign-in, with what it does there. Usually that is one; where there are several, a card or metadata may
 * have put a stranger beside a server that the person knows (RFC 9700 §4.4).
 * @throws Problem as `requireTls`
 */
export function recipientsOf(server: AuthorizationServer, flow: OAuthFlow, scopes: readonly string[]): readonly SignInRecipient[] {
  const isPerson = flow !== 'clientCredentials';
  const endpoints: Readonly<Record<RecipientUse, string | undefined>> = {
    page: flow === 'authorizationCode' ? server.authorization_endpoint : undefined,
    device: flow === 'deviceCode' ? server.device_authorization_endpoint : undefined,
    registration: isPerson ? server.registration_endpoint : undefined,
    token: server.token_endpoint,
    account: isPerson && scopes.includes('openid') ? server.userinfo_endpoint : undefined,
    revocation: server.revocation_endpoint,
  };
  const uses = new Map<string, RecipientUse[]>();
  for (const [use, address] of Object.entries(endpoints) as [RecipientUse, string | undefined][]) {
    if (address === undefined) continue;
    if (!URL.canParse(address)) {
      if (needed.includes(use)) throw unusable(address);
      continue;
    }
    const url = new URL(address);
    if (needed.includes(use)) requireTls(url);
    uses.set(url.origin, [...(uses.get(url.origin) ?? []), use]);
  }
  return [...uses].map(([origin, all]) => ({ origin, uses: all }));
}

/**
 * True if the approved recipients cover the requested ones. The server that gets the code and issues the tokens could do all the rest as
 * well.
 */
export const covers = (approved: readonly SignInRecipient[], asked: readonly SignInRecipient[]): boolean =>
  asked.every(({ origin, uses }) => {
    const known = approved.find(each => each.origin === origin)?.uses ?? [];
    return known.includes('token') || (known.length > 0 && uses.every(use => known.includes(use)));
  });

/**
 * The problem where these origins are not approved.
 * @param token what the person would have approved
 */
export function notApproved(origins: readonly string[], token?: LocalizedMessage): Problem {
  const what = sentence('Credentials were not sent to {0}, which you have not approved for this agent.', listOf(origins));
  return new Problem('sign-in-origin', token === undefined ? what : sentence('{0} {1}', what, token), {
    nextStep: hint(
      sentence('Sign in again, and approve it if you trust it.'),
      'Sign in again and say yes if you trust it, or name each of these origins with --allow-origin.',
    ),
  });
}

const unusable = (address: string): Problem =>
  new Problem('sign-in-metadata', sentence('The agent card has an invalid address for the sign-in: {0}', address.slice(0, 200)), {
    nextStep: sentence("Ask the agent's operator to correct its card."),
  });
