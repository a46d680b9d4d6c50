import * as tls from 'node:tls';
import type { SecureContext } from 'node:tls';

/** Settings for TLS of a connection. */
export interface TlsProfile {
  readonly systemCertificates: boolean;
}

/** Options for `tls.connect`. */
export interface TlsOptions {
  readonly secureContext?: SecureContext;
  /** False: any certificate of the server is accepted. */
  readonly rejectUnauthorized?: boolean;
}

/** One for all connections, as long as Node's authorities are the same: making one reads several hundred certificates. */
let withSystem: { readonly context: SecureContext; readonly from: readonly string[] } | undefined;

/**
 * The TLS options of every connection to an agent, a file server or a proxy, over any transport. Trusts Node's authorities (with those of
 * NODE_EXTRA_CA_CERTS) and, unless that is switched off, the machine's.
 */
export function tlsOptions({ systemCertificates }: TlsProfile): TlsOptions {
  // Node before 22.15, which the terminal may run in, has Node's own authorities alone.
  if (!systemCertificates || typeof tls.getCACertificates !== 'function') return {};
  const known = tls.getCACertificates('default');
  if (withSystem === undefined || !sameCertificates(withSystem.from, known)) {
    withSystem = { from: known, context: tls.createSecureContext({ ca: [...new Set([...known, ...tls.getCACertificates('system')])] }) };
  }
  return { secureContext: withSystem.context };
}

const sameCertificates = (some: readonly string[], others: readonly string[]): boolean =>
  some === others || (some.length === others.length && some.every((certificate, index) => certificate === others[index]));
