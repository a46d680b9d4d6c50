import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CuttingProxy } from './cuttingProxy.ts';
import { Gates } from './play.ts';

/** A server that plays `play`, behind a proxy that can cut it off. */
export interface MatrixAgent {
  /** Where its card is found. */
  readonly url: string;
  readonly gates: Gates;
  /** Breaks every connection to it; it goes on. */
  cut(): void;
  stop(): Promise<void>;
}

/** Puts servers behind proxies, closes all of them in the end. */
export class Fronts {
  readonly gates = new Gates();
  readonly #proxies: CuttingProxy[] = [];
  readonly #closers: (() => Promise<unknown>)[] = [];

  async open(): Promise<CuttingProxy> {
    const proxy = await CuttingProxy.open();
    this.#proxies.push(proxy);
    return proxy;
  }

  onStop(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** A web server behind a proxy. */
  async web(proxy: CuttingProxy, listener: RequestListener): Promise<void> {
    const server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy.target = (server.address() as AddressInfo).port;
    this.onStop(async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
  }

  agent(url: string): MatrixAgent {
    return {
      url,
      gates: this.gates,
      cut: () => this.#proxies.forEach(proxy => proxy.cut()),
      stop: async () => {
        await Promise.all(this.#proxies.map(proxy => proxy.close()));
        await Promise.all(this.#closers.map(close => close()));
      },
    };
  }
}
