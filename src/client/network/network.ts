/** A proxy for HTTP (RFC 9110 §3.7). */
export interface Proxy {
  /** `http:` or `https:`, without credentials. */
  readonly url: URL;
  /** Value of the header Proxy-Authorization: a secret. */
  readonly authorization: string | undefined;
  /** False where the certificate of an `https:` proxy is not checked. */
  readonly strictTls: boolean;
}

/**
 * Proxies and certificates in settings or environment. Read for each request, so that a change is effective with the next one.
 *
 * What decides how a connection is made stands here for all agents, in `ConnectionOptions` for one, and in
 * `client/dispatcher/tlsOptions.ts` for TLS. What tells two connections apart belongs into the key of `ConnectionPool`; rows of
 * `proxies.test.ts` and `connectionOptions.test.ts`.
 */
export interface Network {
  /**
   * The proxy for requests to an address; undefined for a direct connection.
   * @throws ProxyFailure where the configured proxy cannot be used
   */
  proxyFor(url: URL): Promise<Proxy | undefined>;
  /** True to trust the machine's certificate authorities beside those of Node. */
  readonly systemCertificates: boolean;
}

/** Loaded with the first request. */
export type NetworkLoader = () => Promise<Network>;

/** Direct connections, without settings or environment. */
export const directNetwork: Network = { proxyFor: () => Promise.resolve(undefined), systemCertificates: true };

/** Connection options in one agent's settings. */
export interface ConnectionOptions {
  /** Longest wait for a connection including proxy and TLS, in milliseconds. */
  readonly connectTimeoutMs?: number | undefined;
  /** Longest wait for the answer to any request to begin, and longest silence within an answer that is no stream, in milliseconds. */
  readonly answerTimeoutMs?: number | undefined;
  /** True to offer HTTP/2 to servers with TLS, which may still choose HTTP/1.1 (ALPN, RFC 7301). */
  readonly http2?: boolean | undefined;
}
