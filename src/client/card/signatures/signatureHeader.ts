import { duplicateMember } from '../../../protocol/json/duplicateMember.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { signatureBounds } from './signatureBounds.ts';

/** Algorithms with which only the holder of a private key can sign (RFC 7518 §3.1, RFC 8037, RFC 9864): neither `none` nor HMAC. */
const algorithms: ReadonlySet<string> = new Set([
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519',
]);

/** Protected header of a signature. Its members are the signer's word: hints for the choice of a key, and nothing to trust. */
export interface SignatureHeader {
  readonly algorithm: string;
  readonly keyId?: string;
  /** `jku` */
  readonly keysUrl?: string;
  /** The header has a key or certificates of its own, `jwk` or `x5c`, which are not used. */
  readonly ownKey: boolean;
}

interface Unreadable {
  readonly verdict: 'malformed' | 'unsupported';
  readonly message: LocalizedMessage;
  readonly algorithm?: string;
}

/** One entry of `signatures` as it was received, with its texts bounded. */
export interface SignatureEntry {
  readonly protected: string;
  readonly signature: string;
}

const malformed = (message: LocalizedMessage): Unreadable => ({ verdict: 'malformed', message });
const base64url = /^[\w-]+$/;

/** The entry, if it has the two texts that are signed with; the unprotected header is not used. */
export function readEntry(value: unknown): SignatureEntry | Unreadable {
  if (!isObject(value)) return malformed(sentence('It is not an object with protected and signature.'));
  const { protected: header, signature } = value;
  if (typeof header !== 'string' || typeof signature !== 'string')
    return malformed(sentence('It does not have the strings protected and signature.'));
  if (header.length > signatureBounds.headerLength || signature.length > signatureBounds.signatureLength)
    return malformed(sentence('Its protected header or its signature is too long.'));
  if (!base64url.test(header)) return malformed(sentence('Its protected header is not base64url without padding.'));
  if (!base64url.test(signature)) {
    // With the algorithm none a signature is empty (RFC 7518 §3.6).
    const read = readHeader(header);
    return 'verdict' in read ? read : malformed(sentence('Its signature is not base64url without padding.'));
  }
  return { protected: header, signature };
}

/** The protected header of a JWS (RFC 7515 §4). */
export function readHeader(encoded: string): SignatureHeader | Unreadable {
  const text = Buffer.from(encoded, 'base64url').toString('utf8');
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    header = undefined;
  }
  if (!isObject(header)) return malformed(sentence('Its protected header is not a JSON object.'));
  const twice = duplicateMember(text)?.name;
  if (twice !== undefined) return malformed(sentence('Its protected header has {0} twice.', twice.slice(0, 100)));
  const { alg, kid, jku } = header;
  if (typeof alg !== 'string' || alg === '') return malformed(sentence('Its protected header names no algorithm.'));
  const algorithm = alg.slice(0, 100);
  const unsupported = (message: LocalizedMessage): Unreadable => ({ verdict: 'unsupported', message, algorithm });
  if (alg.toLowerCase() === 'none') return unsupported(sentence('Its algorithm is none: anyone can make such a signature.'));
  if (/^HS\d/i.test(alg)) return unsupported(sentence('Its algorithm is {0}: anyone who can verify it can also sign.', algorithm));
  if (!algorithms.has(alg)) return unsupported(sentence('Its algorithm is {0}, which is not supported.', algorithm));
  if ('crit' in header || 'b64' in header)
    return unsupported(sentence('Its protected header requires an extension of JWS, which is not supported.'));
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > signatureBounds.keyIdLength))
    return malformed(
      sentence('The key id in its protected header is not a string of at most {0} characters.', signatureBounds.keyIdLength),
    );
  if (jku !== undefined && (typeof jku !== 'string' || jku.length > signatureBounds.addressLength))
    return malformed(sentence('The jku in its protected header is not a string of at most {0} characters.', signatureBounds.addressLength));
  return {
    algorithm: alg,
    ...(typeof kid === 'string' && kid !== '' && { keyId: kid }),
    ...(typeof jku === 'string' && jku !== '' && { keysUrl: jku }),
    ownKey: 'jwk' in header || 'x5c' in header,
  };
}
