import type { LookupFunction } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import type { buildConnector as Connectors } from 'undici';
import type { Proxy } from '../network/network.ts';
import type { TlsOptions } from './tlsOptions.ts';
import { openTunnel } from './tunnel.ts';

/** How connections to servers are made. */
export interface ServerConnectorOptions {
  readonly proxy: Proxy | undefined;
  /** Of connections to the server. Called with the first one with TLS. */
  readonly tls: () => TlsOptions;
  /** Of connections to the proxy. */
  readonly proxyTls: () => TlsOptions;
  readonly http2: boolean;
  /** Longest wait for a connection including TLS, in milliseconds; a tunnel has as long before that. */
  readonly timeoutMs: number;
  /** Resolves names of hosts that are connected to directly; default: the system. */
  readonly lookup: LookupFunction | undefined;
}

/** Connects to the server itself, or through a tunnel of the proxy. */
export function serverConnector({ proxy, tls, proxyTls, http2, timeoutMs, lookup }: ServerConnectorOptions): Connectors.connector {
  const build = (options: object): Connectors.connector =>
    buildConnector({ allowH2: http2, timeout: timeoutMs, ...(lookup && { lookup }), ...options } as Connectors.BuildOptions);
  const plain = build({});
  let secure: Connectors.connector | undefined;
  return (options, callback) => {
    const connect = options.protocol === 'https:' ? (secure ??= build(tls())) : plain;
    if (proxy === undefined) {
      connect(options, callback);
      return;
    }
    const authority = options.port ? options.host! : `${options.host}:443`;
    openTunnel(authority, { proxy, tls: proxyTls, timeoutMs }).then(
      socket => connect({ ...options, httpSocket: socket as never }, callback),
      (error: Error) => callback(error, null),
    );
  };
}
