import type { LookupFunction } from 'node:net';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import api from 'undici/lib/api/index.js';
import type { SecuredConnection } from './agentTls.ts';
import type { KeptConnection } from './keptConnections.ts';

/** Most kinds of TLS settings that keep connections at a time. */
const maxSecured = 16;
/** Longest delay of a timer, in milliseconds. */
const forever = 2 ** 31 - 1;

/**
 * undici without its main module: importing `undici` replaces the dispatcher of every `fetch` in the process, including those of other
 * extensions. One dispatcher keeps the connections of all agents.
 */
export class Dispatcher {
  readonly #agent: Agent;
  readonly #connectTimeoutMs: number;
  readonly #lookup: LookupFunction | undefined;
  /** Of agents with TLS settings of their own, by the key of these. */
  readonly #secured = new Map<string, Agent>();

  /**
   * @param connectTimeoutMs longest wait for a TCP and TLS connection.
   * @param lookup resolves host names; default: the system.
   */
  constructor(connectTimeoutMs: number, lookup?: LookupFunction) {
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#lookup = lookup;
    // HTTP/1.1 only: a broken HTTP/2 session would end every stream on it at once. Idle connections are kept for undici's 4 s: agents
    // commonly close theirs after 5 s, and a POST on a closing connection cannot be repeated.
    this.#agent = this.#newAgent(undefined);
  }

  /** Sends one request; the headers of the answer are alternating names and values as received. */
  request(options: RequestOptions, security?: SecuredConnection): Promise<ResponseData> {
    return api.request.call(this.#agentFor(security), { ...options, responseHeaders: 'raw' });
  }

  /** A connection of its own, opened with the first request and closed only by its owner or the server. */
  connection(origin: string, security?: SecuredConnection): KeptConnection {
    const client = new Client(origin, {
      allowH2: false,
      connect: { timeout: this.#connectTimeoutMs, ...security?.options },
      keepAliveTimeout: forever,
      keepAliveMaxTimeout: forever,
      // Do not close earlier because the server hints at when it will close.
      keepAliveTimeoutThreshold: -forever,
    });
    return {
      origin,
      request: options => api.request.call(client, { ...options, responseHeaders: 'raw' }),
      close: () => void client.destroy(),
    };
  }

  /** Accepts no more requests. Resolves when the current ones have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#agent, ...this.#secured.values()].map(agent => agent.close()));
  }

  /** Closes every connection at once. */
  async destroy(): Promise<void> {
    await Promise.all([this.#agent, ...this.#secured.values()].map(agent => agent.destroy()));
  }

  #agentFor(security: SecuredConnection | undefined): Agent {
    if (security === undefined) return this.#agent;
    const known = this.#secured.get(security.key);
    if (known !== undefined) return known;
    const [oldest] = this.#secured;
    if (oldest !== undefined && this.#secured.size >= maxSecured) {
      this.#secured.delete(oldest[0]);
      // Its current requests end first.
      void oldest[1].close();
    }
    const made = this.#newAgent(security);
    this.#secured.set(security.key, made);
    return made;
  }

  #newAgent(security: SecuredConnection | undefined): Agent {
    const lookup = this.#lookup;
    return new Agent({
      allowH2: false,
      connect: { timeout: this.#connectTimeoutMs, ...(lookup && { lookup }), ...security?.options },
    });
  }
}

type Options = Parameters<typeof api.request>[0];
export type RequestOptions = Pick<
  Options,
  'origin' | 'path' | 'method' | 'headers' | 'body' | 'signal' | 'headersTimeout' | 'bodyTimeout' | 'onInfo'
>;
export type ResponseData = Awaited<ReturnType<typeof api.request>>;
