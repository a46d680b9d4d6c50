import type { SignInState } from '../signInState.ts';
import { renewsItself, type KeptSignIn } from './keptSignIns.ts';

/** @param now milliseconds since 1970 */
export function stateOf({ credentials, account, over }: KeptSignIn, identity: string, now: number): SignInState {
  const tokens = credentials.flatMap(each => (each.kind === 'oauth' ? [each] : []));
  const expiresAt = Math.min(...tokens.map(each => each.tokens.expiresAt ?? Infinity));
  const renews = tokens.length > 0 && tokens.every(renewsItself);
  if (over === true || (expiresAt <= now && !renews)) return { kind: 'expired', identity, account };
  return {
    kind: 'signedIn',
    identity,
    account,
    schemes: credentials.map(({ scheme }) => scheme),
    expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined,
    renews,
  };
}
