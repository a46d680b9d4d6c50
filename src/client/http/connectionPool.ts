import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { directNetwork, type ConnectionOptions, type NetworkLoader, type Proxy } from '../network/network.ts';
import type { TlsOptions } from '../dispatcher/tlsOptions.ts';
import type { Dispatcher, RequestOptions, ResponseData } from '../dispatcher/dispatcher.ts';
import { secured, type AgentTls } from './agentTls.ts';
import { KeptConnections, type KeptConnectionsOptions } from './keptConnections.ts';
import { timeLimits } from './timeLimits.ts';

export interface ConnectionPoolOptions extends KeptConnectionsOptions {
  /** Longest wait for a connection, in milliseconds; default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Resolves host names; if it fails with a `Problem`, the request throws that. */
  readonly lookup?: LookupFunction;
  /** Default: no proxies. */
  readonly network?: NetworkLoader;
}

/** How connections of other libraries are opened. */
export interface SocketRoute {
  /** Options of `tls.connect`; called where TLS is used. */
  readonly tls: () => TlsOptions;
  /** Opens a tunnel to that host and port; undefined for a direct connection. Rejects with a ProxyFailure. */
  tunnel(authority: string, signal: AbortSignal | undefined): Promise<Duplex | undefined>;
}

/** Connection options in the settings of an agent. */
type SecuredOptions = ConnectionOptions & { readonly tls?: AgentTls | undefined };

/** Most ways to connect (by proxy, TLS and time limit) that are kept. Each has connections of its own. */
const maxDispatchers = 32;

/** The connections to all agents and files. What opens them is loaded with the first request: undici is a third of our code. */
export class ConnectionPool {
  /** Connections over which tasks were received. */
  readonly kept: KeptConnections;
  readonly connectTimeoutMs: number;
  readonly network: NetworkLoader;
  readonly #lookup: LookupFunction | undefined;
  readonly #closing = new AbortController();
  /** Dispatchers by their settings. */
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();
  /** Replaced dispatchers, whose current requests continue to their end. */
  readonly #retired = new Set<Promise<Dispatcher>>();

  constructor({
    connectTimeoutMs = timeLimits.connection,
    network = () => Promise.resolve(directNetwork),
    lookup,
    ...rest
  }: ConnectionPoolOptions = {}) {
    this.connectTimeoutMs = connectTimeoutMs;
    this.network = network;
    this.#lookup = lookup;
    this.kept = new KeptConnections(rest);
  }

  /** Aborted by `close`, for connections that are opened elsewhere. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Sends a request.
   * @param exchangeId set if the connection may have to be kept for a task received over it
   * @param onProxy called before anything is sent through a proxy
   */
  async request(
    url: URL,
    options: RequestOptions,
    connection: SecuredOptions,
    { exchangeId, onProxy }: { readonly exchangeId?: string | undefined; readonly onProxy?: (proxy: Proxy) => void },
  ): Promise<ResponseData> {
    const { dispatcher, key, proxy } = await this.#way(url, connection);
    if (this.closing.aborted) throw this.closing.reason;
    if (proxy !== undefined) onProxy?.(proxy);
    return exchangeId === undefined ? dispatcher.request(options) : this.#overOwn(dispatcher, key, options, exchangeId);
  }

  /** How to connect to an address without HTTP/1.1. Rejects with a ProxyFailure. */
  async route(url: URL, connection: SecuredOptions): Promise<SocketRoute> {
    return (await this.#way(url, connection)).dispatcher;
  }

  /** Makes later requests use new connections: after a sleep of the machine, old ones may be dead without an error. */
  renew(): void {
    this.kept.preventReuse();
    for (const key of [...this.#dispatchers.keys()]) this.#retire(key);
  }

  /** Closes every open connection at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.kept.closeAll();
    await Promise.all([...this.#dispatchers.values(), ...this.#retired].map(async dispatcher => (await dispatcher).destroy()));
  }

  /** The dispatcher for requests to that address, by the settings and environment of now. */
  async #way(
    url: URL,
    { connectTimeoutMs = this.connectTimeoutMs, http2 = false, tls }: SecuredOptions,
  ): Promise<{ readonly dispatcher: Dispatcher; readonly key: string; readonly proxy: Proxy | undefined }> {
    const network = await this.network();
    const proxy = await network.proxyFor(url);
    const { systemCertificates } = network;
    const security = await secured(tls, url, systemCertificates);
    const key = JSON.stringify([
      proxy?.url.href,
      proxy?.authorization,
      proxy?.strictTls,
      connectTimeoutMs,
      http2,
      systemCertificates,
      // A connection with another certificate has another identity.
      security?.key,
    ]);
    const known = this.#dispatchers.get(key);
    // Put at the end again: the first one is the one that was used longest ago.
    if (known !== undefined) this.#dispatchers.delete(key);
    const made =
      known ??
      import('../dispatcher/dispatcher.ts').then(
        ({ Dispatcher }) =>
          new Dispatcher({
            connectTimeoutMs,
            proxy,
            http2,
            lookup: this.#lookup,
            tls: { systemCertificates },
            security: security?.options,
          }),
      );
    this.#dispatchers.set(key, made);
    if (this.#dispatchers.size > maxDispatchers) this.#retire(this.#dispatchers.keys().next().value!);
    return { dispatcher: await made, key, proxy };
  }

  #retire(key: string): void {
    const old = this.#dispatchers.get(key)!;
    this.#dispatchers.delete(key);
    this.#retired.add(old);
    void old.then(dispatcher => dispatcher.close()).finally(() => this.#retired.delete(old));
  }

  async #overOwn(dispatcher: Dispatcher, key: string, options: RequestOptions, exchangeId: string): Promise<ResponseData> {
    const origin = String(options.origin);
    const { kept } = this;
    const place = `${origin} ${key}`;
    let connection = kept.takeIdle(place, exchangeId);
    if (connection === undefined) {
      connection = { ...dispatcher.connection(origin), origin: place };
      kept.use(exchangeId, connection);
    }
    try {
      const data = await connection.request!(options);
      data.body
        .once('end', () => kept.answerEnded(exchangeId))
        .once('close', () => {
          if (!data.body.readableEnded) kept.exchangeFailed(exchangeId);
        });
      return data;
    } catch (error) {
      kept.exchangeFailed(exchangeId);
      throw error;
    }
  }
}
