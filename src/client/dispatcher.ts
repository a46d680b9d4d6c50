import Agent from 'undici/lib/dispatcher/agent.js';
import api from 'undici/lib/api/index.js';

/**
 * undici without its front door: importing `undici` installs a dispatcher for every `fetch` of the process, which is not ours to
 * change. One dispatcher keeps the connections of all agents.
 */
export class Dispatcher {
  readonly #agent: Agent;

  /** @param connectTimeoutMs longest wait for a TCP and TLS connection. */
  constructor(connectTimeoutMs: number) {
    // HTTP/1.1 only: a broken HTTP/2 session would take every stream on it down at once. Idle connections are kept for undici's
    // 4 s: agents commonly close theirs after 5 s, and a POST that meets a closing connection cannot be repeated.
    this.#agent = new Agent({ allowH2: false, connect: { timeout: connectTimeoutMs } });
  }

  /** One request; header names and values of the answer come as they were sent, name and value by turns. */
  request(options: RequestOptions): Promise<ResponseData> {
    return api.request.call(this.#agent, { ...options, responseHeaders: 'raw' });
  }

  /** Takes no more requests. Resolves when those that are under way have come to their end. */
  async close(): Promise<void> {
    await this.#agent.close();
  }

  /** Breaks every connection. */
  async destroy(): Promise<void> {
    await this.#agent.destroy();
  }
}

type Options = Parameters<typeof api.request>[0];
export type RequestOptions = Pick<Options, 'origin' | 'path' | 'method' | 'headers' | 'body' | 'signal' | 'headersTimeout' | 'bodyTimeout'>;
export type ResponseData = Awaited<ReturnType<typeof api.request>>;
