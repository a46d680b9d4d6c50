import { Agent, request } from 'node:http';

export interface Posting {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

export interface Posted {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request just as it is said, also one that no browser would send; status 0 where the connection was broken. */
export function post(url: string, { method = 'POST', path, headers, body = '' }: Posting, agent: Agent | false = false): Promise<Posted> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise(resolve => {
    const broken = (): void => resolve({ status: 0, headers: {}, body: '' });
    const sent = request(
      {
        hostname,
        port,
        method,
        agent,
        path: path ?? pathname + search,
        headers: { 'content-type': 'application/json', ...headers, 'content-length': String(Buffer.byteLength(body)) },
      },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', broken);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.once('error', broken);
    sent.end(body);
  });
}
