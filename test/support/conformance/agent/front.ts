import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came, or as it is passed on. */
export interface Passing {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** By lower-case name; a value of undefined is left out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface Passed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Stands before an agent: `pass` asks the agent, with another request where one is given, and tells the answer; a stream goes through as it
 * comes, and undefined is told.
 */
export type Before = (request: Passing, pass: (other?: Partial<Passing>) => Promise<Passed | undefined>) => Promise<Passed | undefined>;

/** Puts something before the agent at an address; resolves to its own. */
export async function frontOf(target: () => string, before: Before): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
    const came: Passing = { method: message.method ?? '', url: message.url ?? '', headers, body: Buffer.concat(chunks).toString() };
    const answer = await before(came, other => passedOn({ ...came, ...other }, response));
    if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body);
  }
  const passedOn = ({ method, url, headers, body }: Passing, response: ServerResponse): Promise<Passed | undefined> =>
    new Promise((resolve, reject) => {
      const { 'content-length': _length, host: _host, 'transfer-encoding': _encoding, connection: _connection, ...rest } = headers;
      const sent = Object.fromEntries(Object.entries(rest).filter((each): each is [string, string] => each[1] !== undefined));
      const asked = ask(new URL(url, target()), {
        method,
        headers: { ...sent, 'content-length': Buffer.byteLength(body) },
        agent: false,
      });
      response.once('close', () => asked.destroy());
      asked.once('error', reject);
      asked.once('response', came => {
        const told: Record<string, string> = {};
        for (const [name, value] of Object.entries(came.headers))
          if (!['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'].includes(name)) told[name] = String(value);
        came.once('error', reject);
        if (told['content-type'] === 'text/event-stream') {
          response.writeHead(came.statusCode ?? 200, told);
          came.pipe(response);
          came.once('end', () => resolve(undefined));
          return;
        }
        const parts: Buffer[] = [];
        came.on('data', (chunk: Buffer) => parts.push(chunk));
        came.once('end', () => resolve({ status: came.statusCode ?? 200, headers: told, body: Buffer.concat(parts).toString() }));
      });
      asked.end(body);
    });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
