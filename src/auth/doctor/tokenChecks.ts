import { shownDate } from './claimFacts.ts';
import { textsOf, timeOf } from './claims.ts';
import type { Json } from './look.ts';
import type { FoundCause } from './metadataChecks.ts';

interface ExpectedToken {
  readonly agentUrl: string;
  /** Resource indicator of the agent's metadata (RFC 9728). */
  readonly resource: string | undefined;
  readonly issuer: string | undefined;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Longest difference between two clocks that is accepted, in milliseconds. */
export const maxSkew = 60_000;

/** Causes in the claims of an access token (RFC 9068) for which an agent refuses it. */
export function claimCauses(claims: Json, { agentUrl, resource, issuer, scopes, now }: ExpectedToken): readonly FoundCause[] {
  const found: FoundCause[] = [];
  const [expires, begins, issued] = [timeOf(claims['exp']), timeOf(claims['nbf']), timeOf(claims['iat'])];
  const future = Math.max(begins ?? 0, issued ?? 0);
  if (issued !== undefined && issued > now + maxSkew) found.push({ id: 'clock', args: [String(Math.round((issued - now) / 1000))] });
  else if (future > now + maxSkew) found.push({ id: 'notYetValid', args: [shownDate(future)] });
  if (expires !== undefined && expires < now) found.push({ id: 'expired', args: [shownDate(expires)] });
  const audience = textsOf(claims['aud']);
  if (audience.length > 0 && !audience.some(each => isOf(each, resource ?? agentUrl)))
    found.push({ id: 'audience', args: [audience.join(', ')] });
  const { iss } = claims;
  if (typeof iss === 'string' && issuer !== undefined && iss !== issuer) found.push({ id: 'tokenIssuer', args: [iss, issuer] });
  const has = [...textsOf(claims['scope']), ...textsOf(claims['scp'])];
  const missing = has.length === 0 ? undefined : scopes.find(scope => !has.includes(scope));
  if (missing !== undefined) found.push({ id: 'missingScope', args: [missing] });
  return found;
}

/** An audience that is no address is a name, which only the agent can judge. */
function isOf(audience: string, resource: string): boolean {
  if (!URL.canParse(audience) || !URL.canParse(resource)) return true;
  const [named, meant] = [new URL(audience), new URL(resource)];
  return named.origin === meant.origin && meant.pathname.startsWith(named.pathname.replace(/\/$/, ''));
}
