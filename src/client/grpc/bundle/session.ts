import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  type OutgoingHttpHeaders,
} from 'node:http2';

/** How to reach the server. */
export interface SessionRoute {
  /** Options of `tls.connect`; called where TLS is used. */
  readonly tls: () => { readonly secureContext?: SecureContext; readonly rejectUnauthorized?: boolean };
  /** Opens a tunnel to that host and port; undefined for a direct connection. */
  tunnel(authority: string, signal: AbortSignal): Promise<Duplex | undefined>;
}

/** One HTTP/2 connection. It handles error events even after it was closed: an unhandled one would end the whole process. */
export class Session {
  /** The origin, under the name that Connect expects. */
  readonly authority: string;
  /** The error that broke the connection, if any. */
  error: Error | undefined;
  readonly #url: URL;
  readonly #route: SessionRoute | undefined;
  readonly #closing = new AbortController();
  #tunnel: Duplex | undefined;
  #session: ClientHttp2Session | undefined;

  /** @param route default: a direct connection */
  constructor(url: URL, route?: SessionRoute) {
    this.authority = url.origin;
    this.#url = url;
    this.#route = route;
  }

  /** Opens the tunnel, where one leads to the server. Has its own time limit. Rejects with a ProxyFailure. */
  async openTunnel(): Promise<void> {
    const { host, port } = this.#url;
    this.#tunnel = await this.#route?.tunnel(port === '' ? `${host}:${this.#isSecure ? 443 : 80}` : host, this.#closing.signal);
    if (this.#closing.signal.aborted) this.#tunnel?.destroy();
  }

  /** Resolves once connected (TCP, and TLS for `https:`). Rejects with Node's error. Does not settle after `close`. */
  connect(): Promise<void> {
    const isSecure = this.#isSecure;
    const socket = this.#tunnel;
    return new Promise((resolve, reject) => {
      const over = socket === undefined ? {} : isSecure ? { socket } : { createConnection: () => socket };
      this.#session = connect(this.authority, { ...(isSecure && this.#route?.tls()), ...over }, () => resolve());
      this.#session.on('error', error => {
        this.error ??= error;
        reject(error);
      });
    });
  }

  get #isSecure(): boolean {
    return this.#url.protocol === 'https:';
  }

  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: ClientSessionRequestOptions,
  ): Promise<ClientHttp2Stream> {
    if (this.#session === undefined) throw new Error('not connected');
    return this.#session.request({ ...headers, ':method': method, ':path': path }, options);
  }

  /** Connect calls this to monitor connections that are kept; this one is used for a single call. */
  notifyResponseByteRead(): void {}

  close(): void {
    this.#closing.abort();
    this.#session?.destroy();
    this.#tunnel?.destroy();
  }
}
