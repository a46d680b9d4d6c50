import { createHash } from 'node:crypto';
import { sentence } from '../protocol/problem.ts';
import type { ReceiverLimits } from './receiverLimits.ts';
import { sameText } from './sameText.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/** A JWT whose signature was verified with a key that the person trusts. */
interface VerifiedJwt {
  readonly algorithm: string;
  readonly keyId?: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The expectations of a signed notification. */
export interface JwtExpectation {
  /**
   * Verifies the signature with the agent's keys (JWKS). Claims are not its business.
   * @throws Error whose message says in English what is wrong
   */
  readonly verify: (jwt: string) => Promise<VerifiedJwt>;
  readonly issuer?: string;
  readonly audience?: string;
}

/** Algorithms with which only the holder of a private key can sign. */
const asymmetric = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']);

/** A signed notification as it came. */
export interface Signed {
  readonly jwt: string;
  readonly body: Uint8Array;
  /** The JSON of the body. */
  readonly value: unknown;
  readonly taskId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface JwtVerdicts {
  readonly verdicts: readonly Verdict[];
  /** The token's own id, by which a replay is known. */
  readonly id?: string;
}

/** Checks a notification's JWT: signature, issuer, audience, times, task and body. */
export async function jwtVerdicts(
  signed: Signed,
  { verify, issuer, audience }: JwtExpectation,
  limits: Pick<ReceiverLimits, 'replayWindowMs' | 'clockSkewMs'>,
): Promise<JwtVerdicts> {
  let verified: VerifiedJwt;
  try {
    verified = await verify(signed.jwt);
  } catch (error) {
    return {
      verdicts: [failed('signature', sentence('The signature is invalid: {0}', error instanceof Error ? error.message : String(error)))],
    };
  }
  const { algorithm, claims } = verified;
  if (!asymmetric.has(algorithm))
    return {
      verdicts: [failed('signature', sentence('The algorithm {0} is not accepted: anyone who can verify it can also sign.', algorithm))],
    };
  const { iss, aud, jti } = claims;
  return {
    ...(typeof jti === 'string' && { id: jti }),
    verdicts: [
      passed('signature', sentence('The signature is valid ({0}).', algorithm)),
      ...(issuer === undefined ? [] : [named('issuer', iss === issuer, issuer, iss)]),
      ...(audience === undefined ? [] : [named('audience', [aud].flat().includes(audience), audience, aud)]),
      timeVerdict(claims, signed.at, limits),
      ...taskVerdicts(claims, signed.taskId),
      ...bodyVerdicts(claims, signed),
    ],
  };
}

function named(of: 'issuer' | 'audience', isRight: boolean, wanted: string, told: unknown): Verdict {
  const claim = of === 'issuer' ? 'iss' : 'aud';
  if (isRight) return passed(of, sentence('{0} is {1}.', claim, wanted));
  return failed(
    of,
    told === undefined ? sentence('{0} is missing.', claim) : sentence('{0} should be {1}, not {2}.', claim, wanted, JSON.stringify(told)),
  );
}

/** `iat` within the replay window, `exp` and `nbf` as they say (RFC 7519 §4.1). A token without `iat` could be sent again for ever. */
function timeVerdict(
  { iat, exp, nbf }: VerifiedJwt['claims'],
  at: number,
  { replayWindowMs, clockSkewMs }: Pick<ReceiverLimits, 'replayWindowMs' | 'clockSkewMs'>,
): Verdict {
  if (typeof iat !== 'number') return failed('time', sentence('{0} is missing.', 'iat'));
  const age = at - iat * 1000;
  if (age > replayWindowMs)
    return failed('time', sentence('It was signed {0} s ago, more than {1} s.', Math.round(age / 1000), replayWindowMs / 1000));
  if (age < -clockSkewMs) return failed('time', sentence('It was signed {0} s in the future.', Math.round(-age / 1000)));
  if (exp !== undefined && !(typeof exp === 'number' && at < exp * 1000 + clockSkewMs)) return failed('time', sentence('It has expired.'));
  if (nbf !== undefined && !(typeof nbf === 'number' && at > nbf * 1000 - clockSkewMs))
    return failed('time', sentence('It is not valid yet.'));
  return passed('time', sentence('It was signed {0} s ago.', Math.max(0, Math.round(age / 1000))));
}

function taskVerdicts({ taskId, task_id: older = taskId }: VerifiedJwt['claims'], told: string | undefined): Verdict[] {
  if (older === undefined) return [];
  return [
    older === told
      ? passed('task', sentence("The signed task is the notification's task."))
      : failed('task', sentence("The signed task is not the notification's task.")),
  ];
}

/** The hash is that of the bytes, or of the JSON without spaces, as the samples of 2025 have it. */
function bodyVerdicts({ request_body_sha256: hash }: VerifiedJwt['claims'], { body, value }: Signed): Verdict[] {
  if (hash === undefined) return [];
  const right = [body, Buffer.from(JSON.stringify(value) ?? '')].some(bytes =>
    sameText(createHash('sha256').update(bytes).digest('hex'), String(hash).toLowerCase()),
  );
  return [
    right
      ? passed('body', sentence('The body matches the signed one.'))
      : failed('body', sentence('The body does not match the signed one.')),
  ];
}
