import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { TLSSocket } from 'node:tls';

/** A server that ends TLS and passes all bytes on to a server without TLS, whatever they speak. */
export interface TlsInFront {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Common names of the clients' certificates, one for each connection that was accepted; undefined for one without. */
  readonly clients: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** @param target `http://127.0.0.1:PORT` of the server behind it */
export async function tlsInFront(target: string, options: TlsOptions): Promise<TlsInFront> {
  const { hostname, port } = new URL(target);
  const clients: (string | undefined)[] = [];
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer({ ALPNProtocols: ['h2', 'http/1.1'], ...options }, socket => {
    const { subject } = socket.getPeerCertificate() as { readonly subject?: { readonly CN?: string } };
    clients.push(subject?.CN);
    const behind = connect(Number(port), hostname);
    sockets.add(behind);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.on('connection', socket => sockets.add(socket));
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clients,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
