import type { ResolvedAgentCard } from '../client/card/agentCardResolver.ts';
import { lazyCardVerifier } from '../client/card/signatures/lazyCardVerifier.ts';
import type { SignatureReport } from '../client/card/signatures/signatureReport.ts';
import type { Http } from '../client/http/http.ts';

/**
 * Checks the signatures of a card when it is asked to; undefined for a card without any.
 * @param trusted whom the person trusts to sign, as `a2a.trustedSigningKeys` has them
 */
export function signatureCheck(
  http: Http,
  { source, original }: Pick<ResolvedAgentCard, 'source' | 'original'>,
  trusted: () => unknown,
): () => Promise<SignatureReport | undefined> {
  return async () => (source.includes('"signatures"') ? lazyCardVerifier({ http, trusted }).verify(original?.() ?? source) : undefined);
}
