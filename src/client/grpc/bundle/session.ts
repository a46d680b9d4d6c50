import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';

/** One HTTP/2 connection. It handles error events even after it was closed: an unhandled one would end the whole process. */
export class Session {
  /** The origin, under the name that Connect expects. */
  readonly authority: string;
  /** The error that broke the connection, if any. */
  error: Error | undefined;
  #session: ClientHttp2Session | undefined;
  readonly #security: SecureClientSessionOptions;

  constructor(url: URL, security: SecureClientSessionOptions = {}) {
    this.#security = security;
    this.authority = url.origin;
  }

  /** Resolves once connected (TCP, and TLS for `https:`). Rejects with Node's error. Does not settle after `close`. */
  connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#session = connect(this.authority, this.#security, () => resolve());
      this.#session.on('error', error => {
        this.error ??= error;
        reject(error);
      });
    });
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
    this.#session?.destroy();
  }
}
