import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { der, ecdsaWithSha256, oid, sequence, time } from './der.ts';

/** A key and a certificate of it (RFC 5280) as PEM, good for an hour. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));
const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;
const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A certificate authority of a test's own. */
export class CertificateAuthority {
  readonly #name: Buffer;
  readonly #key: KeyObject;
  #serial = 1;
  /** Its own certificate, as PEM. */
  readonly cert: string;

  constructor(name: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#name = nameOf(name);
    // basicConstraints: a certificate authority
    const constraints = sequence(oid(0x55, 0x1d, 0x13), der(0x01, Buffer.from([0xff])), octets(sequence(der(0x01, Buffer.from([0xff])))));
    this.cert = this.#certificate(this.#name, publicKey, constraints);
  }

  /** A key with a certificate, for a client or for a server at 127.0.0.1. */
  issue(name: string): Certified & { readonly privateKey: KeyObject } {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const alternativeName = sequence(oid(0x55, 0x1d, 0x11), octets(sequence(der(0x87, Buffer.from([127, 0, 0, 1])))));
    return { privateKey, key: pkcs8(privateKey), cert: this.#certificate(nameOf(name), publicKey, alternativeName) };
  }

  #certificate(subject: Buffer, publicKey: KeyObject, extension: Buffer): string {
    const hour = 3_600_000;
    const certificate = sequence(
      der(0xa0, integer(2)),
      integer(this.#serial++),
      ecdsaWithSha256,
      this.#name,
      sequence(time(new Date(Date.now() - hour)), time(new Date(Date.now() + hour))),
      subject,
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(extension)),
    );
    const signature = der(0x03, Buffer.from([0]), sign('sha256', certificate, this.#key));
    return pem('CERTIFICATE', sequence(certificate, ecdsaWithSha256, signature));
  }
}

/** The key as PEM that a passphrase protects. */
export const encryptedKey = (key: KeyObject, passphrase: string): string =>
  key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();

const pkcs7 = (...last: readonly number[]): Buffer => oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, ...last);
const pkcs12Bag = (last: number): Buffer => oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x0a, 0x01, last);
const pkcs9 = (...last: readonly number[]): Buffer => oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, ...last);
const sha256 = oid(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01);

/** Key and certificate in one file (PKCS #12, RFC 7292), protected by a passphrase. */
export function pfx({ cert, privateKey }: { readonly cert: string; readonly privateKey: KeyObject }, passphrase: string): Buffer {
  const id = sequence(pkcs9(0x15), der(0x31, octets(randomBytes(20))));
  const keyBag = sequence(
    pkcs12Bag(2),
    der(0xa0, privateKey.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase })),
    der(0x31, id),
  );
  const certBag = sequence(
    pkcs12Bag(3),
    der(0xa0, sequence(pkcs9(0x16, 0x01), der(0xa0, octets(new X509Certificate(cert).raw)))),
    der(0x31, id),
  );
  const data = (content: Buffer): Buffer => sequence(pkcs7(0x01), der(0xa0, octets(content)));
  const safe = sequence(data(sequence(certBag)), data(sequence(keyBag)));
  const salt = randomBytes(8);
  const iterations = 2;
  const mac = createHmac('sha256', macKey(passphrase, salt, iterations))
    .update(safe)
    .digest();
  return sequence(integer(3), data(safe), sequence(sequence(sequence(sha256, der(0x05)), octets(mac)), octets(salt), integer(iterations)));
}

/** The key of the integrity check (RFC 7292, appendix B.2, for SHA-256 and ID 3). */
function macKey(passphrase: string, salt: Uint8Array, iterations: number): Buffer {
  const block = 64;
  const repeated = (bytes: Uint8Array): Buffer => Buffer.alloc(Math.ceil(bytes.byteLength / block) * block, bytes);
  const text = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  let hash = createHash('sha256')
    .update(Buffer.concat([Buffer.alloc(block, 3), repeated(salt), repeated(text)]))
    .digest();
  for (let round = 1; round < iterations; round++) hash = createHash('sha256').update(hash).digest();
  return hash;
}
