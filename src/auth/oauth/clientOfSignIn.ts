import type * as oauth from 'oauth4webapi';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { SignInCanceled } from '../signInCanceled.ts';
import type { OAuthFlow } from '../signInPlan.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import { givenClient, isDocument, registerClient, registers, takesDocuments } from './oauthClients.ts';
import type { OAuthContext } from './oauthFetch.ts';
import type { OAuthClient, OAuthTokens } from './oauthTokens.ts';

interface ClientRequest {
  readonly context: OAuthContext;
  readonly server: oauth.AuthorizationServer;
  readonly flow: OAuthFlow;
  /** Name of the scheme in the card. */
  readonly scheme: string;
  readonly wanted: readonly string[];
  readonly prompts: Pick<SignInPrompts, 'type'>;
  /** Tokens of an earlier sign-in at the same agent: its client is used again at the same server, where the person gave it. */
  readonly before?: Pick<OAuthTokens, 'client' | 'issuer' | 'tokenEndpoint'> | undefined;
}

/** The client that the person gave before, one that is registered now, or one that the person gives. */
export async function clientFor(request: ClientRequest, redirectUri: string | undefined): Promise<OAuthClient> {
  const { server, before, prompts, flow, scheme, context, wanted } = request;
  const knownClient = before?.client;
  // Its secret is that server's: a card that names another one gets none of it.
  const isSame = before?.issuer === server.issuer && before.tokenEndpoint === server.token_endpoint;
  if (knownClient !== undefined && knownClient.origin !== 'registered' && isSame) return knownClient;
  const program = flow === 'clientCredentials';
  if (!program && registers(server)) return registerClient(context, server, redirectUri, wanted);
  const id = await prompts.type({
    name: 'client-id',
    title: sentence('Client ID'),
    prompt: clientPrompt({ server, scheme, redirectUri }),
    secret: false,
    ...(knownClient !== undefined && { suggested: knownClient.id }),
  });
  if (id === undefined || id === '') throw new SignInCanceled();
  if (!program && takesDocuments(server) && isDocument(id)) return { id, authentication: 'none', origin: 'document' };
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

/** Prompt for the client that the person looks up or registers at the authorization server. */
function clientPrompt({
  server,
  scheme,
  redirectUri,
}: Pick<ClientRequest, 'server' | 'scheme'> & { readonly redirectUri: string | undefined }): LocalizedMessage {
  const { issuer } = server;
  if (redirectUri === undefined) return sentence('Client ID. Register a client at {0} for "{1}".', issuer, scheme);
  const { protocol, host, hostname, pathname } = new URL(redirectUri);
  const registered = isLoopback(hostname)
    ? sentence('{0} (any port)', `${protocol}//${hostname}${pathname}`)
    : `${protocol}//${host}${pathname}`;
  return takesDocuments(server)
    ? sentence(
        'Client ID, or the https address of its metadata document. Register the redirect URI {2} at {0} for "{1}".',
        issuer,
        scheme,
        registered,
      )
    : sentence('Client ID. Register the redirect URI {2} at {0} for "{1}".', issuer, scheme, registered);
}
