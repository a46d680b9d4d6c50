import { isIP, connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { WebSocket, type ClientOptions } from 'ws';
import type { SocketRoute } from '../http/connectionPool.ts';

type Opened = (error: Error | null, socket?: Duplex) => void;

/**
 * Opens a WebSocket over a connection that we make: VS Code would lead requests of Node's own modules through proxies by its own rules, and
 * leaves alone those that name a socket of the machine, which this one seems to be.
 * @param url `ws:` or `wss:`
 * @throws TypeError for a header that cannot be sent
 */
export function openWebSocket(url: URL, route: SocketRoute, signal: AbortSignal, options: ClientOptions): WebSocket {
  const headers = options.headers ?? {};
  const hasHost = Object.keys(headers).some(name => name.toLowerCase() === 'host');
  return new WebSocket('ws+unix:agent:/', {
    ...options,
    headers: hasHost ? headers : { Host: url.host, ...headers },
    createConnection: ((_options: unknown, opened: Opened) => {
      connection(url, route, signal).then(socket => opened(null, socket), opened);
    }) as never,
    finishRequest: (request, webSocket) => {
      request.path = url.pathname + url.search;
      options.finishRequest?.(request, webSocket);
    },
  });
}

/** A connection that may still be on its way to the server, but has passed the proxy. */
async function connection(url: URL, route: SocketRoute, signal: AbortSignal): Promise<Duplex> {
  const { hostname, host } = url;
  const isSecure = url.protocol === 'wss:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = await route.tunnel(url.port === '' ? `${host}:${port}` : host, signal);
  if (!isSecure) return socket ?? connectTcp({ host: name, port, signal });
  return connectTls({
    host: name,
    port,
    ALPNProtocols: ['http/1.1'],
    ...route.tls(),
    ...(isIP(name) === 0 && { servername: name }),
    ...(socket && { socket }),
  });
}
