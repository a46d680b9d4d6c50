import buildConnector from 'undici/lib/core/connect.js';
import type { buildConnector as Connectors } from 'undici';
import type { Proxy } from '../network/network.ts';
import type { TlsOptions } from './tlsOptions.ts';
import { proxyFailure } from './proxyFailures.ts';

/**
 * Connects to a proxy; fails with a ProxyFailure. The certificate of an `https:` proxy is for its own name, not for that of the request.
 * @param timeoutMs longest wait for a connection including TLS
 */
export function proxyConnector(proxy: Proxy, tls: () => TlsOptions, timeoutMs: number): Connectors.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    ...(proxy.url.protocol === 'https:' && { ...tls(), rejectUnauthorized: proxy.strictTls }),
  } as Connectors.BuildOptions);
  return (options, callback) =>
    connect({ ...options, servername: '' }, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(proxyFailure(error, proxy, timeoutMs), null);
    });
}
