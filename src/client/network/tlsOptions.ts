import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** What decides about TLS for a connection. */
export interface TlsProfile {
  readonly systemCertificates: boolean;
}

/** Options for `tls.connect`. */
export interface TlsOptions {
  readonly secureContext?: SecureContext;
}

/** One for all connections: making one reads several hundred certificates. */
let withSystem: SecureContext | undefined;

/**
 * The TLS options of every connection to an agent, a file server or a proxy, over any transport. Trusts Node's authorities (with those of
 * NODE_EXTRA_CA_CERTS) and, unless that is switched off, the machine's.
 */
export function tlsOptions({ systemCertificates }: TlsProfile): TlsOptions {
  if (!systemCertificates) return {};
  withSystem ??= createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])] });
  return { secureContext: withSystem };
}
