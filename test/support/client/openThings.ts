import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { AgentClient, type AgentClientOptions } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import type { Script } from '../../../src/mock/script.ts';
import { scriptedAgent, type ScriptedAgent, type ScriptedAgentOptions } from '../../../src/mock/scriptedAgent.ts';
import { tlsInFront, type TlsInFront } from './tlsInFront.ts';
import { WireRecording } from './wireRecording.ts';

/** What a test opened, to be closed in its `teardown`. */
export class OpenThings {
  #closers: (() => Promise<unknown>)[] = [];

  async close(): Promise<void> {
    const closers = this.#closers;
    this.#closers = [];
    await Promise.all(closers.map(close => close()));
  }

  /** Closes something else with the rest. */
  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  http(options?: ConstructorParameters<typeof Http>[0]): Http {
    const http = new Http({ loadObserver, ...options });
    this.#closers.push(() => http.close());
    return http;
  }

  async agent(script: Script, generation = '1.0', more: Partial<ScriptedAgentOptions> = {}): Promise<ScriptedAgent> {
    // Tests put proxies and TLS in front of it, whose names and ports it is asked under.
    const agent = scriptedAgent({ script, version: generation, isOwnHost: () => true, ...more });
    await agent.start();
    this.#closers.push(() => agent.stop());
    return agent;
  }

  /** A scripted agent with a client that found it by its card. */
  async spoken(
    script: Script,
    generation = '1.0',
    more: Partial<ScriptedAgentOptions> & Partial<Omit<AgentClientOptions, 'card'>> = {},
  ): Promise<{ agent: ScriptedAgent; client: AgentClient; log: WireRecording; http: Http }> {
    const agent = await this.agent(script, generation, more);
    const http = this.http();
    const { card, cardUrl, agentUrl } = await resolveAgentCard(agent.url, { http });
    const client = new AgentClient({ chosen: chooseInterface(card, cardUrl), http, agentUrl, ...more, card });
    return { agent, client, http, log: new WireRecording() };
  }

  /** Starts a web server with this listener; resolves to its address. */
  async web(listener: RequestListener): Promise<string> {
    return `http://${await this.#listen(createServer(listener))}/`;
  }

  /** Starts a web server that calls the listener for requests to upgrade (RFC 9110 §7.8); resolves to its address. */
  async upgrading(listener: (request: IncomingMessage, socket: Duplex) => void): Promise<string> {
    return `http://${await this.#listen(createServer().on('upgrade', listener))}/`;
  }

  /** Starts a server that ends TLS in front of the one at `http://127.0.0.1:PORT`. */
  async tls(target: string, options: TlsOptions): Promise<TlsInFront> {
    const front = await tlsInFront(target, options);
    this.#closers.push(() => front.close());
    return front;
  }

  /** Starts a TCP server that calls the function for each connection; resolves to `host:port`. */
  async tcp(onConnection: (socket: Socket) => void): Promise<string> {
    return this.#listen(createTcpServer(onConnection));
  }

  async #listen(server: Server): Promise<string> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#closers.push(async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** `host:port` where nothing listens. */
  async deadPort(): Promise<string> {
    const server = createTcpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return `127.0.0.1:${port}`;
  }
}

/** All of an async iterable, and what it threw in the end. */
export async function drain<T>(items: AsyncIterable<T>): Promise<{ items: T[]; error: unknown }> {
  const got: T[] = [];
  try {
    for await (const item of items) got.push(item);
    return { items: got, error: undefined };
  } catch (error) {
    return { items: got, error };
  }
}
