import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GuardedAgent {
  readonly url: string;
  /** Requests that were let through or refused, in their order. */
  readonly seen: {
    readonly path: string;
    readonly authorized: boolean;
    readonly headers: IncomingMessage['headers'];
    readonly url: string;
  }[];
  /** Whether a request is let through; may be replaced. */
  allows: (request: IncomingMessage) => boolean | Promise<boolean>;
  /** The card is guarded as well. */
  cardToo: boolean;
  close(): Promise<void>;
}

/**
 * A door in front of an agent: what it does not allow is answered with 401. The agent's card is given to all, with the security that is
 * named, unless `cardToo` is set.
 */
export async function guardedAgent(
  agentUrl: string,
  { security, challenge, allows }: { readonly security: object; readonly challenge: string; readonly allows: GuardedAgent['allows'] },
): Promise<GuardedAgent> {
  const seen: GuardedAgent['seen'] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guarded: GuardedAgent = {
    url,
    seen,
    allows,
    cardToo: false,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '/', method, headers } = request;
    const isCard = method === 'GET' && path.includes('/.well-known/agent');
    const authorized = (isCard && !guarded.cardToo) || (await guarded.allows(request));
    if (!isCard || guarded.cardToo) seen.push({ path: new URL(path, url).pathname, authorized, headers, url: path });
    if (!authorized) {
      request.resume();
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
      return;
    }
    const onward = forward(new URL(path, agentUrl), { method, headers: { ...headers, host: new URL(agentUrl).host } }, answered => {
      const { statusCode = 502 } = answered;
      if (!isCard || statusCode !== 200) {
        response.writeHead(statusCode, answered.headers);
        answered.pipe(response);
        return;
      }
      let text = '';
      answered.on('data', (chunk: Buffer) => (text += String(chunk)));
      answered.on('end', () => {
        const card = JSON.parse(text.replaceAll(agentUrl, url)) as object;
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ ...card, ...security }));
      });
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }
  return guarded;
}
