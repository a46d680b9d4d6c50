import type { ConfiguredHeaders } from '../http/configuredHeaders.ts';
import { Problem } from '../../protocol/problem.ts';
import { UnauthorizedProblem } from './agentError.ts';

/**
 * An error of a request as people shall be told it: a refusal (HTTP 401 or 403) says which credential was refused where one was sent, so that
 * nobody looks for one that is missing. Any other error stays as it is.
 * @param named names of further headers that carry credentials, such as those of the card's API keys
 */
export async function withSentCredentials(
  error: unknown,
  { headers, url, named = [] }: { readonly headers: ConfiguredHeaders; readonly url: URL; readonly named?: readonly string[] },
): Promise<unknown> {
  if (!(error instanceof UnauthorizedProblem) || error.sent !== undefined) return error;
  try {
    return error.withSent(await headers.sent(url, named));
  } catch (cause) {
    // The credentials are gone since, such as a sign-in that could not be renewed: the refusal is what there is to tell.
    if (cause instanceof Problem) return error;
    throw cause;
  }
}
