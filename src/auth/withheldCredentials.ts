import type { WithheldCredentials } from '../client/http/requestAuthentication.ts';
import { isLoopback } from '../protocol/card/agentOrigin.ts';
import { hint, sentence } from '../protocol/problem.ts';

/**
 * Why an address gets no credentials of a sign-in: the person allowed other origins only, or anyone on the way could read them. Undefined
 * where it gets them. Two names of this machine are two origins; see `isApproved`.
 * @param origins that may have them, as `URL.origin` writes them
 * @param agentUrl address of the agent that the person signed in to
 */
export function withheldFrom(target: URL, origins: readonly string[], agentUrl: string): WithheldCredentials | undefined {
  const { protocol, hostname } = target;
  const origin = target.origin.replace(/^ws/, 'http');
  if (!['https:', 'wss:', 'grpcs:'].includes(protocol) && !isLoopback(hostname))
    return {
      what: sentence('The credential was not sent: anyone on the way to {0} could read it, since it is not encrypted.', origin),
      nextStep: sentence('Use an interface of the agent with an address of https.'),
    };
  if (origins.includes(origin)) return undefined;
  return {
    origin,
    what: sentence('The credential is for {0}; the interface is at {1}, so it was not sent.', new URL(agentUrl).origin, origin),
    nextStep: hint(
      sentence('If you trust that address, allow it with "Allow Address of Card" on the agent, or with "A2A: Sign In…".', origin),
      'If you trust that address, allow it with --allow-origin {0}: in "a2a auth login URL" for a sign-in that is kept, in this command for a credential of the environment.',
    ),
  };
}
