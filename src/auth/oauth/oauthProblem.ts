import * as oauth from 'oauth4webapi';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { unsendableToken } from './tokenType.ts';

/** Longest text of a server that is quoted, in characters. */
const maxQuoted = 200;

/** Sentences and next steps for the codes of RFC 6749, 8628 and 8707. */
const meanings: Readonly<Record<string, readonly [what: LocalizedMessage, next: LocalizedMessage]>> = {
  access_denied: [sentence('The sign-in was denied.'), sentence('Sign in again and allow what the agent requests.')],
  invalid_client: [
    sentence(
      'The authorization server does not accept the client: its id or secret is wrong, or the server expects them to be sent in another way.',
    ),
    sentence('Check client id and client secret, and sign in again.'),
  ],
  unauthorized_client: [
    sentence('The authorization server does not allow this client to sign in this way.'),
    sentence('Allow the grant type for the client at the authorization server, or choose another way to sign in.'),
  ],
  invalid_grant: [
    sentence(
      'The authorization server does not accept the code or the refresh token: it was used, has expired, or belongs to another client.',
    ),
    sentence('Sign in again.'),
  ],
  invalid_scope: [
    sentence('The authorization server does not recognize a scope, or does not allow it for this client.'),
    sentence("Allow the scopes of the agent card for the client, or ask the agent's operator which are right."),
  ],
  invalid_target: [
    sentence('The authorization server issues no tokens for this agent (resource).'),
    sentence('Register the address of the agent as a resource at the authorization server.'),
  ],
  unsupported_grant_type: [
    sentence('The authorization server does not support this way to sign in.'),
    sentence('Choose another way to sign in.'),
  ],
  invalid_request: [
    sentence('The authorization server does not understand the request.'),
    sentence('Often the redirect address is not registered for the client: it must be http://127.0.0.1/callback with any port (RFC 8252).'),
  ],
  invalid_redirect_uri: [
    sentence('The authorization server does not accept the redirect address.'),
    sentence('Register http://127.0.0.1/callback with any port for the client (RFC 8252).'),
  ],
  expired_token: [sentence('The code expired before you had signed in.'), sentence('Sign in again.')],
  server_error: [sentence('The authorization server had an error.'), sentence('Try again later.')],
  temporarily_unavailable: [sentence('The authorization server is busy.'), sentence('Try again later.')],
};

/** An error of oauth4webapi as a `Problem`; anything else as it is. Answers of the server are quoted, tokens and codes never. */
export function oauthProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  // oauth4webapi wraps what its `fetch` throws.
  if (error instanceof Error && error.cause instanceof Problem) return error.cause;
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return ofCode(error.error, error.error_description);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return ofCode('invalid_client');
  if (error instanceof oauth.OperationProcessingError) return ofCheck(error);
  if (error instanceof oauth.UnsupportedOperationError) {
    const tokenType = tokenTypeIn(error.cause);
    if (tokenType !== undefined) return unsendableToken(tokenType);
    return new Problem(
      'sign-in-answer',
      sentence('The authorization server answered with a kind of token or method that is not supported.'),
      {
        nextStep: sentence('Choose another way to sign in.'),
        details: error.message.slice(0, maxQuoted),
      },
    );
  }
  return error;
}

/** The type of a token that oauth4webapi does not know, from the answer that it refuses. */
function tokenTypeIn(cause: unknown): string | undefined {
  const body = isObject(cause) ? cause['body'] : undefined;
  return isObject(body) && typeof body['token_type'] === 'string' ? body['token_type'] : undefined;
}

/** The code of RFC 6749 §5.2 in a problem of a sign-in; undefined for others. */
export const oauthCodeOf = (error: unknown): string | undefined => /^oauth-(.+)$/.exec(error instanceof Problem ? error.code : '')?.[1];

function ofCode(code: string, description?: string): Problem {
  const [what, nextStep] = meanings[code] ?? [
    sentence('The authorization server refused: {0}.', code.slice(0, maxQuoted)),
    sentence("Ask the authorization server's operator."),
  ];
  return new Problem(`oauth-${code.slice(0, maxQuoted)}`, what, {
    nextStep,
    ...(description !== undefined && { details: description.slice(0, maxQuoted) }),
  });
}

function ofCheck(error: oauth.OperationProcessingError): Problem {
  const ask = sentence("Ask the authorization server's operator.");
  switch (error.code) {
    case oauth.JWT_TIMESTAMP_CHECK:
      return new Problem('sign-in-clock', sentence('The times in the token do not match the clock of this machine.'), {
        nextStep: sentence('Set the clock of this machine and of the authorization server.'),
      });
    case oauth.JWT_CLAIM_COMPARISON:
      return new Problem('sign-in-token', sentence('The ID token is not meant for this client, or is from another issuer.'), {
        nextStep: ask,
      });
    case oauth.INVALID_RESPONSE:
      // A member of a body that has not the type it must have says nothing of who answered.
      if (/^"response" body /.test(error.message)) return ofAnswer(error, ask);
      return new Problem('sign-in-answer', sentence('The answer does not belong to this sign-in: its state or its issuer differs.'), {
        nextStep: sentence('Sign in again. If it happens again, someone may have interfered.'),
      });
    case oauth.RESPONSE_IS_NOT_JSON:
    case oauth.PARSE_ERROR:
      return new Problem('sign-in-answer', sentence('The answer of the authorization server is not JSON.'), { nextStep: ask });
    default:
      return ofAnswer(error, ask);
  }
}

const ofAnswer = ({ message }: Error, nextStep: LocalizedMessage): Problem =>
  new Problem('sign-in-answer', sentence('The authorization server did not answer as OAuth 2.0 requires.'), {
    nextStep,
    details: message.slice(0, maxQuoted),
  });
