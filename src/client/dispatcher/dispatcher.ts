import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import api from 'undici/lib/api/index.js';
import type { Proxy } from '../network/network.ts';
import { type TlsOptions, type TlsProfile, tlsOptions } from './tlsOptions.ts';
import { proxyConnector } from './proxyConnector.ts';
import { refusedByProxy } from './proxyFailures.ts';
import { openTunnel } from './tunnel.ts';
import buildConnector from 'undici/lib/core/connect.js';
import type { buildConnector as Connectors } from 'undici';

/** Longest delay of a timer, in milliseconds. */
const forever = 2 ** 31 - 1;

export interface DispatcherOptions {
  /** Longest wait for a TCP and TLS connection, and before it for a tunnel through the proxy, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Resolves host names, but for that of the proxy; default: the system. */
  readonly lookup?: LookupFunction | undefined;
  readonly proxy?: Proxy | undefined;
  readonly tls: TlsProfile;
  /** TLS to the server instead of `tls`, from an agent's settings. */
  readonly security?: TlsOptions | undefined;
  /** True to offer HTTP/2 over TLS. */
  readonly http2?: boolean;
}

/**
 * undici without its main module: importing `undici` replaces the dispatcher of every `fetch` in the process, including those of other
 * extensions. One dispatcher keeps the connections to all agents that are reached in the same way.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  /** Connects to servers, or through tunnels. */
  readonly #agent: Agent;
  /** Connects to the proxy, for requests that it forwards. */
  readonly #forwarding: Agent | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    // A broken HTTP/2 session would end every stream on it at once, so that it is used only where an agent's settings ask for it. Idle
    // connections are kept for undici's 4 s: agents commonly close theirs after 5 s, and a POST on a closing connection cannot be repeated.
    this.#agent = new Agent({ allowH2: options.http2 === true, connect: this.#serverConnector });
    this.#forwarding =
      options.proxy === undefined
        ? undefined
        : new Agent({ allowH2: false, connect: proxyConnector(options.proxy, this.#proxyTls, options.connectTimeoutMs) });
  }

  get #serverConnector(): ReturnType<typeof serverConnector> {
    const { proxy, connectTimeoutMs: timeoutMs, lookup, http2 = false } = this.#options;
    return serverConnector({ proxy, timeoutMs, lookup, http2, tls: this.tls, proxyTls: this.#proxyTls });
  }

  /** Sends one request; the headers of the answer are alternating names and values as received. Rejects with a ProxyFailure for HTTP 407. */
  async request(options: RequestOptions): Promise<ResponseData> {
    return this.#forwards(options.origin)
      ? this.#forwarded(this.#forwarding!, options)
      : api.request.call(this.#agent, { ...options, responseHeaders: 'raw' });
  }

  /** A connection of its own, opened with the first request and closed only by its owner or the server. */
  connection(origin: string): OwnConnection {
    const { proxy, connectTimeoutMs, http2 = false } = this.#options;
    const forwards = this.#forwards(origin);
    const client = new Client(forwards ? proxy!.url.origin : origin, {
      allowH2: http2 && !forwards,
      connect: forwards ? proxyConnector(proxy!, this.#proxyTls, connectTimeoutMs) : this.#serverConnector,
      keepAliveTimeout: forever,
      keepAliveMaxTimeout: forever,
      // Do not close earlier because the server hints at when it will close.
      keepAliveTimeoutThreshold: -forever,
    });
    return {
      request: options => (forwards ? this.#forwarded(client, options) : api.request.call(client, { ...options, responseHeaders: 'raw' })),
      close: () => void client.destroy(),
    };
  }

  /** Options of `tls.connect` for the server, also for connections that are made elsewhere. */
  readonly tls = (): TlsOptions => this.#options.security ?? this.#proxyTls();

  /** A proxy gets no certificate that is meant for one agent. */
  readonly #proxyTls = (): TlsOptions => tlsOptions(this.#options.tls);

  /** Opens a tunnel to a host and port; undefined where no proxy is used. Rejects with a ProxyFailure. */
  async tunnel(authority: string, signal: AbortSignal | undefined): Promise<Duplex | undefined> {
    const { proxy, connectTimeoutMs: timeoutMs } = this.#options;
    return proxy === undefined ? undefined : openTunnel(authority, { proxy, timeoutMs, signal, tls: this.#proxyTls });
  }

  /** Accepts no more requests. Resolves when the current ones have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#agent.close(), this.#forwarding?.close()]);
  }

  /** Closes every connection at once. */
  async destroy(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#forwarding?.destroy()]);
  }

  /** Requests without TLS are sent to the proxy with the whole address (RFC 9112 §3.2.2); for others it opens a tunnel. */
  #forwards(origin: RequestOptions['origin']): boolean {
    return this.#forwarding !== undefined && String(origin).startsWith('http:');
  }

  async #forwarded(over: Agent | Client, options: RequestOptions): Promise<ResponseData> {
    const { proxy } = this.#options;
    const { host, origin } = new URL(String(options.origin));
    const headers = [...(options.headers as readonly string[])];
    if (!headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')) headers.push('Host', host);
    if (proxy!.authorization !== undefined) headers.push('Proxy-Authorization', proxy!.authorization);
    const data = await api.request.call(over, {
      ...options,
      headers,
      origin: proxy!.url.origin,
      path: origin + options.path,
      responseHeaders: 'raw',
    });
    // Only a proxy answers so (RFC 9110 §15.5.8), and it has not forwarded the request.
    if (data.statusCode !== 407) return data;
    data.body.on('error', () => {}).destroy();
    throw refusedByProxy(proxy!, host, 407);
  }
}

/** A connection that serves one exchange at a time. */
export interface OwnConnection {
  request(options: RequestOptions): Promise<ResponseData>;
  close(): void;
}

type Options = Parameters<typeof api.request>[0];
export type RequestOptions = Pick<
  Options,
  'origin' | 'path' | 'method' | 'headers' | 'body' | 'signal' | 'headersTimeout' | 'bodyTimeout' | 'onInfo'
>;
export type ResponseData = Awaited<ReturnType<typeof api.request>>;

/** How connections to servers are made. */
interface ServerConnectorOptions {
  readonly proxy: Proxy | undefined;
  /** TLS to the server. Called with the first connection that uses it. */
  readonly tls: () => TlsOptions;
  /** TLS to the proxy. */
  readonly proxyTls: () => TlsOptions;
  readonly http2: boolean;
  /** Longest wait for a connection including TLS, in milliseconds; a tunnel has as long before that. */
  readonly timeoutMs: number;
  /** Resolves names of hosts that are connected to directly; default: the system. */
  readonly lookup: LookupFunction | undefined;
}

/** Connects to the server itself, or through a tunnel of the proxy. */
function serverConnector({ proxy, tls, proxyTls, http2, timeoutMs, lookup }: ServerConnectorOptions): Connectors.connector {
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
