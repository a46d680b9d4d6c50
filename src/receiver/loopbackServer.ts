import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Longest wait for the rest of a request that is answered unread, in milliseconds. */
const lingerMs = 2_000;

/**
 * Listens on loopback; port 0 takes any free one. A later error, such as a connection that cannot be accepted, is reported and ends
 * nothing.
 * @returns the port. Rejects with Node's error, such as `EADDRINUSE`.
 */
export async function listenOnLoopback(server: Server, port: number, onError: (error: unknown) => void): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.on('error', error => callListener(() => onError(error)));
  return (server.address() as AddressInfo).port;
}

/** Handles one exchange. An error is reported and ends this exchange only. Never rejects. */
export async function guarded(response: ServerResponse, work: () => Promise<void>, onError: (error: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    callListener(() => onError(error));
    if (!response.writableEnded) response.destroy();
  }
}

/** Calls a listener. What it throws ends nothing; it goes to `onError`, where there is one. */
export function callListener(listener: () => void, onError: (error: unknown) => void = () => {}): void {
  try {
    listener();
  } catch (error) {
    callListener(() => onError(error));
  }
}

/**
 * The body of a request; undefined where it is, or says that it is, longer than so many bytes: then `refuse` can still answer. Rejects
 * where the sender breaks off or is too slow.
 */
export async function boundedBody(message: IncomingMessage, bodyBytes: number): Promise<Buffer | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > bodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  // Destroyed with the iterator, the request would lose its connection: `refuse` could not read the rest.
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > bodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Answers a request whose body is not read, and closes the connection. The answer goes out at once; what still comes is dropped for a
 * moment: a connection that is closed before that is reset, and a client that is still writing never sees the answer.
 */
export function refuse(
  message: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) });
  if (body === '') response.flushHeaders();
  else response.write(body);
  const end = (): void => {
    clearTimeout(late);
    response.end();
  };
  const late = setTimeout(end, lingerMs);
  response.once('close', () => clearTimeout(late));
  if (message.readableEnded) end();
  else message.once('end', end).resume();
}
