import type { Http } from '../../http/http.ts';
import { timeLimits } from '../../http/timeLimits.ts';
import type { WireLog } from '../../wireLog/wireLog.ts';
import { hint, Problem, sentence } from '../../../protocol/problem.ts';
import { keysIn, type PublicKey } from './publicKeys.ts';
import { signatureBounds } from './signatureBounds.ts';

export interface KeyFetchOptions {
  readonly http: Http;
  readonly log?: WireLog | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Longest time for the whole answer, and longest silence of the server, in milliseconds. */
  readonly timeoutMs?: number;
  readonly silenceMs?: number;
}

/**
 * Fetches a set of keys from an address that the person trusts or asked to look at. Sends no credentials and follows no redirects: a signer
 * is trusted at that address only.
 * @throws Problem `keys-redirected`, `keys-refused`, `keys-too-large`, `bad-signing-key`; ConnectionProblem
 */
export async function fetchKeys(
  url: URL,
  { http, log, signal, timeoutMs = timeLimits.signingKeys, silenceMs = timeLimits.signingKeysSilence }: KeyFetchOptions,
): Promise<readonly PublicKey[]> {
  const response = await http.request({
    method: 'GET',
    url,
    headers: [['Accept', 'application/jwk-set+json, application/json']],
    headersTimeoutMs: silenceMs,
    bodyTimeoutMs: silenceMs,
    timeoutMs,
    ...(signal !== undefined && { signal }),
    ...(log !== undefined && { log }),
    subject: { operation: 'SigningKeys', protocolBinding: 'HTTP', protocolVersion: '1.1' },
  });
  const { record } = response;
  try {
    const keys = await keysIn(await boundedText(response));
    record.end();
    return keys;
  } catch (error) {
    record.end(error);
    throw error;
  }
}

async function boundedText(response: Awaited<ReturnType<Http['request']>>): Promise<string> {
  const { redirect, status, url } = response;
  if (redirect !== undefined) {
    response.discard();
    throw new Problem(
      'keys-redirected',
      sentence('{0} leads to {1}, and redirects of keys are not followed.', url.origin, redirect.origin),
      {
        nextStep: hint(
          sentence('If you trust that address, add it to the setting a2a.trustedSigningKeys.'),
          'If you trust that address, name it with --trusted-key.',
        ),
      },
    );
  }
  if (!response.ok) {
    response.discard();
    throw new Problem('keys-refused', sentence('{0} answered with status {1}.', url.origin, status));
  }
  const { keyTextBytes } = signatureBounds;
  return response.text(keyTextBytes).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'too-large') throw error;
    throw new Problem('keys-too-large', sentence('{0} sent more than {1} KiB of keys.', url.origin, keyTextBytes / 1024));
  });
}
