import type { TlsOptions } from '../dispatcher/tlsOptions.ts';
import { createHash, createPrivateKey } from 'node:crypto';
import * as tls from 'node:tls';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** Certificates and keys for the connections to one agent, besides those of the machine. Files in PEM, but for `pfx`. */
export interface TlsMaterial {
  /** The client's certificate, followed by those of its authorities if the server needs them. */
  readonly certificate?: Uint8Array;
  readonly key?: Uint8Array;
  /** Certificate and key in one file (PKCS #12), instead of the two above. */
  readonly pfx?: Uint8Array;
  /** Passphrase of the key or the PFX file. */
  readonly passphrase?: string;
  /** Certificate authorities that are trusted for this agent besides those of the machine. */
  readonly ca?: Uint8Array;
  /** False: any certificate of the server is accepted, so that an attacker on the way can read and change the traffic. */
  readonly rejectUnauthorized?: boolean;
}

/** Reads it for each connection: files may be renewed, and a passphrase is kept nowhere. Rejects with a `Problem`. */
export type AgentTls = (url: URL) => Promise<TlsMaterial>;

/** Connections with the same key are secured in the same way. */
interface SecuredConnection {
  readonly key: string;
  readonly options: TlsOptions;
}

/**
 * How a connection to an approved address of an agent is secured; undefined where nothing but the machine's own settings counts.
 * @param systemCertificates whether the authorities of the machine are trusted beside those of Node
 * @throws Problem `tls-files` where what the person configured does not fit together
 */
export async function secured(tls: AgentTls | undefined, url: URL, systemCertificates: boolean): Promise<SecuredConnection | undefined> {
  if (tls === undefined || (url.protocol !== 'https:' && url.protocol !== 'wss:')) return undefined;
  return securedBy(await tls(url), systemCertificates);
}

/** Maximum number of contexts that are kept. */
const maxKept = 32;
const kept = new Map<string, SecuredConnection>();

/** @throws Problem `tls-files` */
function securedBy(material: TlsMaterial, systemCertificates: boolean): SecuredConnection {
  const key = `${keyOf(material)} ${systemCertificates}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const { certificate, key: privateKey, pfx, passphrase, ca, rejectUnauthorized = true } = material;
  try {
    const secureContext = tls.createSecureContext({
      ...(certificate !== undefined && { cert: Buffer.from(certificate) }),
      ...(privateKey !== undefined && { key: Buffer.from(privateKey) }),
      ...(pfx !== undefined && { pfx: Buffer.from(pfx) }),
      ...(passphrase !== undefined && { passphrase }),
      // Given alone, the further authorities would replace those of the machine.
      ca: [...authorities(systemCertificates), ...(ca === undefined ? [] : [checkedPem(ca)])],
    });
    const made = { key, options: { secureContext, rejectUnauthorized } };
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, made);
    return made;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unfit(error, material);
  }
}

/** Authorities of Node with `NODE_EXTRA_CA_CERTS`, and those of the machine; see `tlsOptions`. */
const authorities = (systemCertificates: boolean): ReadonlySet<string> =>
  new Set([...tls.getCACertificates('default'), ...(systemCertificates ? tls.getCACertificates('system') : [])]);

/** @throws Problem: OpenSSL passes over a file without a certificate silently */
function checkedPem(ca: Uint8Array): string {
  const text = Buffer.from(ca).toString('latin1');
  if (text.includes('-----BEGIN CERTIFICATE-----') || text.includes('-----BEGIN TRUSTED CERTIFICATE-----')) return text;
  throw new Problem('tls-files', sentence('The file of "ca" has no certificate in PEM.'), {
    nextStep: sentence('Name a file that begins with "-----BEGIN CERTIFICATE-----".'),
  });
}

function keyOf({ certificate, key, pfx, passphrase, ca, rejectUnauthorized = true }: TlsMaterial): string {
  const hash = createHash('sha256');
  for (const part of [certificate, key, pfx, passphrase, ca]) {
    const bytes = part === undefined ? undefined : Buffer.from(part);
    hash.update(`${bytes?.byteLength ?? '-'}:`).update(bytes ?? '');
  }
  return hash.update(String(rejectUnauthorized)).digest('hex');
}

/**
 * True if a passphrase does not open an encrypted key. One wrong passphrase in 256 leaves bytes that end like a key: OpenSSL then complains
 * about their content and not about the passphrase.
 */
function isLocked(key: Uint8Array | undefined, passphrase: string | undefined): boolean {
  if (
    key === undefined ||
    passphrase === undefined ||
    !/^(?:-----BEGIN |Proc-Type: 4,)ENCRYPTED/m.test(Buffer.from(key).toString('latin1'))
  )
    return false;
  try {
    createPrivateKey({ key: Buffer.from(key), passphrase });
    return false;
  } catch {
    return true;
  }
}

/** Problem for an error of OpenSSL, whose texts contain nothing of the files. */
function unfit(error: unknown, { key, pfx, passphrase }: TlsMaterial): Problem {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  const details = `${code} ${message}`;
  const problem = (what: LocalizedMessage, nextStep: LocalizedMessage): Problem =>
    new Problem('tls-files', what, { nextStep, details, cause: error });
  if (/KEY_VALUES_MISMATCH|key values mismatch/i.test(details))
    return problem(
      sentence('The private key does not belong to the client certificate.'),
      sentence('Name the key that the certificate was issued for in "key".'),
    );
  if (
    isLocked(key, passphrase) ||
    /BAD_DECRYPT|bad decrypt|mac verify|INTERRUPTED_OR_CANCELLED|BAD_PASSWORD_READ|MISSING_PASSPHRASE|PASSPHRASE|password/i.test(details)
  )
    return passphrase === undefined
      ? problem(
          pfx === undefined
            ? sentence('The private key is protected by a passphrase.')
            : sentence('The PFX file is protected by a passphrase.'),
          sentence('Add "passphrase": "{0}" to "tls".', '{{$secret NAME}}'),
        )
      : problem(
          pfx === undefined ? sentence('Wrong passphrase for the private key.') : sentence('Wrong passphrase for the PFX file.'),
          sentence('Set the secret named by "passphrase" again.'),
        );
  if (pfx !== undefined)
    return problem(
      sentence('The file of "pfx" is not a PFX file (PKCS #12).'),
      sentence('Name a .pfx or .p12 file with certificate and key.'),
    );
  return problem(
    sentence('The client certificate or its key cannot be read.'),
    sentence('Both must be PEM files, which begin with "-----BEGIN".'),
  );
}
