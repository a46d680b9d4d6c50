import { createPublicKey, X509Certificate } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { isObject } from '../../../protocol/json.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { signatureBounds } from './signatureBounds.ts';

/** A key that can verify signatures. Never has a private part. */
export interface PublicKey {
  readonly jwk: JWK;
  readonly keyId?: string;
  /** RFC 7638, SHA-256, base64url. */
  readonly thumbprint: string;
  /** Milliseconds since the epoch, of the key or of its certificate. */
  readonly notBefore?: number;
  readonly expiresAt?: number;
  /** Set for a key with a member `revoked` (OpenID Federation 1.0 §8.7.2). */
  readonly revoked?: true;
}

const curves: Readonly<Record<string, readonly string[]>> = { EC: ['P-256', 'P-384', 'P-521'], OKP: ['Ed25519'] };

/** Algorithms by key type and curve. */
const algorithmsOf: Readonly<Record<string, readonly string[]>> = {
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA', 'Ed25519'],
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
};

/** True where a key is for an algorithm: by its type and, where it names one, its own `alg`. */
export function isFor({ jwk: { kty, crv, alg } }: PublicKey, algorithm: string): boolean {
  const all = algorithmsOf[crv ?? kty ?? ''] ?? [];
  return all.includes(algorithm) && (alg === undefined || alg === algorithm || (all.includes(alg) && crv === 'Ed25519'));
}

/** Why a key cannot be used now; undefined for one that can. */
export function whyOver(
  { notBefore = -Infinity, expiresAt = Infinity, revoked }: PublicKey,
  now: number,
): 'revoked' | 'expired' | 'early' | undefined {
  if (revoked === true) return 'revoked';
  if (now >= expiresAt) return 'expired';
  return now < notBefore ? 'early' : undefined;
}

/**
 * The keys in a text: PEM (public keys and certificates, several after each other), a JWK, or a set of them (RFC 7517 §5). Keys of a set that
 * cannot verify signatures are left out, as §5 wants it.
 * @throws Problem `bad-signing-key`
 */
export async function keysIn(text: string): Promise<readonly PublicKey[]> {
  if (text.includes('-----BEGIN')) return keysOfPem(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Problem('bad-signing-key', sentence('It is neither PEM nor JSON.'), { cause });
  }
  return keysOfJson(value);
}

/** The keys of a JWK or a set of them. @throws Problem `bad-signing-key` */
export async function keysOfJson(value: unknown): Promise<readonly PublicKey[]> {
  const set = isObject(value) ? value['keys'] : undefined;
  if (!Array.isArray(set)) return [await keyOf(value)];
  requireFew(set.length);
  const read = await Promise.all(
    set.map((each: unknown) =>
      keyOf(each).catch((error: unknown) => {
        if (error instanceof Problem) return undefined;
        throw error;
      }),
    ),
  );
  const keys = read.filter(key => key !== undefined);
  if (keys.length === 0) throw new Problem('bad-signing-key', sentence('It has no key that can verify signatures.'));
  return keys;
}

function requireFew(count: number): void {
  if (count > signatureBounds.keys)
    throw new Problem('bad-signing-key', sentence('It has {0} keys; at most {1} are read.', count, signatureBounds.keys));
}

const seconds = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value * 1_000 : undefined);

/** A public key from a JWK. The private part, where there is one, is left out at once. */
async function keyOf(value: unknown, dates: Pick<PublicKey, 'notBefore' | 'expiresAt'> = {}): Promise<PublicKey> {
  const bad = (what: ReturnType<typeof sentence>): Problem => new Problem('bad-signing-key', what);
  if (!isObject(value)) throw bad(sentence('It is not a JSON Web Key.'));
  const text = (name: string, longest: number): string | undefined => {
    const member = value[name];
    return typeof member === 'string' && member.length <= longest ? member : undefined;
  };
  const [kty, crv, alg, kid] = [text('kty', 10), text('crv', 20), text('alg', 20), text('kid', signatureBounds.keyIdLength)];
  if (kty === 'oct') throw bad(sentence('It is a shared secret: anyone who can verify with it can also sign.'));
  if (kty === undefined || !(kty === 'RSA' || curves[kty]?.includes(crv ?? '') === true))
    throw bad(sentence('It is not a key of RSA, of the curves P-256, P-384 and P-521, or of Ed25519.'));
  const { use, key_ops: operations } = value;
  if ((use !== undefined && use !== 'sig') || (Array.isArray(operations) && !operations.includes('verify') && !operations.includes('sign')))
    throw bad(sentence('It is not a key for signatures.'));
  const names = kty === 'RSA' ? ['n', 'e'] : kty === 'EC' ? ['x', 'y'] : ['x'];
  const numbers = names.map(name => [name, text(name, signatureBounds.modulusLength)] as const);
  if (numbers.some(([, number]) => number === undefined || !/^[\w-]+$/.test(number)))
    throw bad(sentence('Its numbers are missing or too long.'));
  const jwk: JWK = { kty, ...(kty !== 'RSA' && { crv }), ...Object.fromEntries(numbers), ...(alg !== undefined && { alg }) };
  const [notBefore, expiresAt] = [
    seconds(value['nbf']) ?? dates.notBefore,
    seconds(value['exp']) ?? dates.expiresAt ?? chainEnd(value['x5c']),
  ];
  return {
    jwk,
    ...(kid !== undefined && { keyId: kid }),
    thumbprint: await calculateJwkThumbprint(jwk),
    ...(notBefore !== undefined && { notBefore }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(value['revoked'] !== undefined && value['revoked'] !== null && value['revoked'] !== false && { revoked: true }),
  };
}

/** When the certificate of a key ends; undefined where it has none that can be read. */
function chainEnd(chain: unknown): number | undefined {
  const [first] = Array.isArray(chain) ? (chain as readonly unknown[]) : [];
  if (typeof first !== 'string') return undefined;
  try {
    return new X509Certificate(Buffer.from(first, 'base64')).validToDate.getTime();
  } catch {
    // The key itself is trusted; a certificate only limits the time.
    return undefined;
  }
}

async function keysOfPem(text: string): Promise<readonly PublicKey[]> {
  const blocks = text.match(/-----BEGIN [A-Z0-9 ]+-----[^-]+-----END [A-Z0-9 ]+-----/g) ?? [];
  if (blocks.length === 0) throw new Problem('bad-signing-key', sentence('Its PEM has no end.'));
  requireFew(blocks.length);
  return Promise.all(
    blocks.map(block => {
      try {
        const certificate = block.includes('BEGIN CERTIFICATE') ? new X509Certificate(block) : undefined;
        const jwk: unknown = (certificate?.publicKey ?? createPublicKey(block)).export({ format: 'jwk' });
        return keyOf(jwk, certificate && { notBefore: certificate.validFromDate.getTime(), expiresAt: certificate.validToDate.getTime() });
      } catch (cause) {
        throw new Problem('bad-signing-key', sentence('Its PEM is not a public key or a certificate.'), { cause });
      }
    }),
  );
}
