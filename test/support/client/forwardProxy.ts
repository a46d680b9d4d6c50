import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ForwardProxyOptions {
  /** User name and password that clients have to give (Basic). */
  readonly credentials?: string;
  /** How it treats every request: with this HTTP status, or not at all. */
  readonly refuses?: number | 'silently';
  /** Key and certificate in PEM: clients then reach it over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** What went through a proxy. */
interface ProxyTraffic {
  /** Absolute addresses of forwarded requests. */
  readonly forwarded: string[];
  /** Host and port of each tunnel. */
  readonly tunnels: string[];
  /** The Proxy-Authorization of every request to it; undefined where there was none. */
  readonly authorizations: (string | undefined)[];
  /** Headers that the target servers got from it. */
  readonly passedOn: string[];
}

/** A forward proxy on loopback. Every host name leads to 127.0.0.1: names that nobody else knows, such as `agent.test`, are found by it. */
export class ForwardProxy implements ProxyTraffic {
  readonly forwarded: string[] = [];
  readonly tunnels: string[] = [];
  readonly authorizations: (string | undefined)[] = [];
  readonly passedOn: string[] = [];
  readonly #options: ForwardProxyOptions;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new Set<Duplex>();

  constructor(options: ForwardProxyOptions = {}) {
    this.#options = options;
    this.#server = options.tls === undefined ? createServer() : createTlsServer(options.tls);
    this.#server
      .on('connection', (socket: Socket) => this.#keep(socket))
      .on('request', (request, response) => this.#forward(request, response))
      .on('connect', (request, socket) => this.#tunnel(request, socket));
  }

  /** Its address, with the credentials it wants. */
  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    const { credentials, tls } = this.#options;
    return `${tls === undefined ? 'http' : 'https'}://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
  }

  /** The status with which a request is refused; undefined where it is not, `silently` for no answer. */
  #refusal({ headers }: IncomingMessage): number | 'silently' | undefined {
    const { credentials, refuses } = this.#options;
    const given = headers['proxy-authorization'];
    this.authorizations.push(given);
    if (refuses !== undefined) return refuses;
    const wanted = credentials && `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}`;
    return wanted === undefined || given === wanted ? undefined : 407;
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#refusal(request);
    if (refusal === 'silently') return;
    if (refusal !== undefined) {
      // As some proxies do, it says what it was sent.
      response.writeHead(refusal, { 'Proxy-Authenticate': 'Basic realm="test"' });
      response.end(`refused: ${request.headers['proxy-authorization'] ?? ''}`);
      return;
    }
    const { host, port, pathname, search } = new URL(request.url ?? '');
    this.forwarded.push(request.url ?? '');
    const { 'proxy-authorization': _own, ...headers } = request.headers;
    this.passedOn.push(...Object.keys(headers));
    const onward = forward(
      { host: '127.0.0.1', port: port || 80, path: pathname + search, method: request.method, headers: { ...headers, host } },
      answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.headersSent || response.writeHead(502).end());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  #tunnel(request: IncomingMessage, socket: Duplex): void {
    this.#keep(socket);
    const refusal = this.#refusal(request);
    if (refusal === 'silently') return;
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.tunnels.push(request.url ?? '');
    const target = connect(Number(new URL(`http://${request.url}`).port || 80), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
    socket.on('close', () => target.destroy());
    target.on('close', () => socket.destroy());
  }
}
