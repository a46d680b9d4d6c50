import type { LookupFunction } from 'node:net';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import api from 'undici/lib/api/index.js';
import type { KeptConnection } from './keptConnections.ts';

/** The longest that a timer can wait, in milliseconds. */
const forever = 2 ** 31 - 1;

/**
 * undici without its main module: importing `undici` installs a dispatcher for every `fetch` of the process, and other extensions use that.
 * One dispatcher keeps the connections of all agents.
 */
export class Dispatcher {
  readonly #agent: Agent;
  readonly #connectTimeoutMs: number;

  /** @param connectTimeoutMs longest wait for a TCP and TLS connection. @param lookup resolves names; the system's own where it is left out. */
  constructor(connectTimeoutMs: number, lookup?: LookupFunction) {
    this.#connectTimeoutMs = connectTimeoutMs;
    // HTTP/1.1 only: a broken HTTP/2 session would take every stream on it down at once. Idle connections are kept for undici's
    // 4 s: agents commonly close theirs after 5 s, and a POST that meets a closing connection cannot be repeated.
    this.#agent = new Agent({ allowH2: false, connect: { timeout: connectTimeoutMs, ...(lookup && { lookup }) } });
  }

  /** One request; header names and values of the answer come as they were sent, name and value by turns. */
  request(options: RequestOptions): Promise<ResponseData> {
    return api.request.call(this.#agent, { ...options, responseHeaders: 'raw' });
  }

  /** A connection of its own, made with the first request and closed by nobody but its owner and the server. */
  connection(origin: string): KeptConnection {
    const client = new Client(origin, {
      allowH2: false,
      connect: { timeout: this.#connectTimeoutMs },
      keepAliveTimeout: forever,
      keepAliveMaxTimeout: forever,
      // A server's hint of when it will close is not a reason to close earlier.
      keepAliveTimeoutThreshold: -forever,
    });
    return {
      origin,
      request: options => api.request.call(client, { ...options, responseHeaders: 'raw' }),
      close: () => void client.destroy(),
    };
  }

  /** Takes no more requests. Resolves when those that are under way have ended. */
  async close(): Promise<void> {
    await this.#agent.close();
  }

  /** Breaks every connection. */
  async destroy(): Promise<void> {
    await this.#agent.destroy();
  }
}

type Options = Parameters<typeof api.request>[0];
export type RequestOptions = Pick<
  Options,
  'origin' | 'path' | 'method' | 'headers' | 'body' | 'signal' | 'headersTimeout' | 'bodyTimeout' | 'onInfo'
>;
export type ResponseData = Awaited<ReturnType<typeof api.request>>;
