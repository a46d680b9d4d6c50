import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  type OutgoingHttpHeaders,
} from 'node:http2';

/**
 * One HTTP/2 connection. It hears every error to the end, also after it was closed: an error event that nobody hears would end the whole
 * process.
 */
export class Session {
  /** The origin, as Connect asks for it. */
  readonly authority: string;
  /** What broke the connection, once something did. */
  error: Error | undefined;
  #session: ClientHttp2Session | undefined;

  constructor(url: URL) {
    this.authority = url.origin;
  }

  /** Resolves once the connection is made (TCP, and TLS for `https:`). Rejects with Node's error; never after `close`. */
  connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#session = connect(this.authority, () => resolve());
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

  /** Connect tells of bytes so that a kept connection can be watched; this one lasts one call. */
  notifyResponseByteRead(): void {}

  close(): void {
    this.#session?.destroy();
  }
}
