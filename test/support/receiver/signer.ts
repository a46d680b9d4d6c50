import { createHash, createHmac, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import type { JwtExpectation } from '../../../src/receiver/signedDelivery.ts';

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const options = (algorithm: string, key: KeyObject) => (algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key);

/** An agent that signs its notifications with a key of its own, as the JWT profile of the protocol's documents has it. */
export class Signer {
  readonly algorithm: 'RS256' | 'ES256';
  readonly #key: KeyObject;

  constructor(algorithm: 'RS256' | 'ES256' = 'ES256') {
    this.algorithm = algorithm;
    this.#key =
      algorithm === 'RS256'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
        : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  }

  /** A JWT for a body, with these claims besides; undefined removes one. */
  jwt(body: string, claims: Readonly<Record<string, unknown>> = {}, header: Readonly<Record<string, unknown>> = {}): string {
    const now = Math.floor(Date.now() / 1000);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const signed = `${base64({ alg: this.algorithm, kid: 'k', ...header })}.${base64({ iat: now, exp: now + 60, request_body_sha256: sha256, ...claims })}`;
    return `${signed}.${this.#signature(signed, String(header['alg'] ?? this.algorithm))}`;
  }

  #signature(signed: string, algorithm: string): string {
    if (algorithm === 'none') return '';
    const spki = createPublicKey(this.#key).export({ type: 'spki', format: 'pem' });
    if (algorithm === 'HS256') return createHmac('sha256', spki).update(signed).digest('base64url');
    return sign('sha256', Buffer.from(signed), options(this.algorithm, this.#key)).toString('base64url');
  }

  /** Verifies with the public key whatever the header says, but reports what it says. */
  readonly verify: JwtExpectation['verify'] = async jwt => {
    const [head = '', claims = '', signature = ''] = jwt.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string; kid?: string };
    const isRight = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      options(this.algorithm, createPublicKey(this.#key)),
      Buffer.from(signature, 'base64url'),
    );
    await Promise.resolve();
    if (alg !== 'HS256' && !isRight) throw new Error('signature verification failed');
    return {
      algorithm: alg,
      ...(kid !== undefined && { keyId: kid }),
      claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>,
    };
  };
}
