import { flattenedVerify, errors } from 'jose';
import { isFor, type PublicKey } from './publicKeys.ts';
import type { SignatureEntry, SignatureHeader } from './signatureHeader.ts';

/** Which key made a signature, and over which bytes. */
interface KeyMatch<Key, Form> {
  readonly key: Key;
  readonly form: Form;
}

/** Counts what is computed for one card, since a card may have many signatures and a person many keys. */
export class VerificationBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** False when no more may be computed. */
  take(): boolean {
    return this.#left-- > 0;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

/** The first key and form that a signature fits. Keys that are not for its algorithm are not tried. */
export async function findMatch<Key extends PublicKey, Form extends { readonly bytes: Uint8Array }>(
  entry: SignatureEntry,
  { algorithm }: SignatureHeader,
  keys: readonly Key[],
  forms: readonly Form[],
  budget: VerificationBudget,
): Promise<KeyMatch<Key, Form> | undefined> {
  for (const key of keys.filter(each => isFor(each, algorithm))) {
    for (const form of forms) {
      if (!budget.take()) return undefined;
      if (await verifies(entry, algorithm, key, form.bytes)) return { key, form };
    }
  }
  return undefined;
}

/** True where a detached JWS (RFC 7515 appendix F) over these bytes was made with this key. */
async function verifies(entry: SignatureEntry, algorithm: string, { jwk }: PublicKey, bytes: Uint8Array): Promise<boolean> {
  const payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
  try {
    const { alg: _, ...key } = jwk;
    await flattenedVerify({ protected: entry.protected, payload, signature: entry.signature }, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    // All other errors are about the key itself: numbers that are on no curve, or fewer than 2,048 bits.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}
