import type { Duplex } from 'node:stream';
import Client from 'undici/lib/dispatcher/client.js';
import api from 'undici/lib/api/index.js';
import type { Proxy } from '../network/network.ts';
import { ProxyFailure } from '../network/proxyFailure.ts';
import type { TlsOptions } from './tlsOptions.ts';
import { proxyConnector } from './proxyConnector.ts';
import { proxyFailure, refusedByProxy } from './proxyFailures.ts';

interface TunnelOptions {
  readonly proxy: Proxy;
  /** TLS to the proxy. */
  readonly tls: () => TlsOptions;
  /** Longest wait for the tunnel, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a connection to a host through a proxy by CONNECT (RFC 9110 §9.3.6).
 * @param authority host and port, an IPv6 address in brackets
 * @throws ProxyFailure
 */
export async function openTunnel(authority: string, { proxy, tls, timeoutMs, signal }: TunnelOptions): Promise<Duplex> {
  const late = AbortSignal.timeout(timeoutMs);
  const client = new Client(proxy.url.origin, { allowH2: false, connect: proxyConnector(proxy, tls, timeoutMs) });
  try {
    const { statusCode, socket } = await unlessAborted(
      api.connect.call(client, {
        origin: proxy.url.origin,
        path: authority,
        headers: { host: authority, ...(proxy.authorization !== undefined && { 'proxy-authorization': proxy.authorization }) },
        signal: late,
      }),
      signal === undefined ? late : AbortSignal.any([signal, late]),
    );
    // Without a listener an error of a socket would end the process.
    socket.on('error', () => {});
    if (statusCode >= 200 && statusCode < 300) return socket;
    socket.destroy();
    throw refusedByProxy(proxy, authority, statusCode);
  } catch (error) {
    void client.destroy();
    throw error instanceof ProxyFailure || signal?.aborted ? error : proxyFailure(error, proxy, timeoutMs);
  }
}

/** undici cannot be stopped while it connects. A tunnel that opens later is closed. */
function unlessAborted<Tunnel extends { readonly socket: Duplex }>(opening: Promise<Tunnel>, signal: AbortSignal): Promise<Tunnel> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    opening
      .then(tunnel => {
        if (signal.aborted) tunnel.socket.on('error', () => {}).destroy();
        else resolve(tunnel);
      }, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
