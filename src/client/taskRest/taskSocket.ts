import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { closedByClient, type Frame, type Headers } from '../../protocol/exchange.ts';
import type { SocketRoute } from '../http/connectionPool.ts';
import { connectionProblem } from '../http/connectionProblem.ts';
import { ProxyFailure } from '../network/proxyFailure.ts';
import { ExchangeRecord, now, type ExchangeSubject } from '../wireLog/exchangeRecord.ts';
import type { CallOptions, Endpoint } from '../transport/transport.ts';

interface SocketLimits {
  /** Longest wait for the WebSocket to open, in milliseconds. */
  readonly opening: number;
  /** Longest message that is read, in bytes. */
  readonly maxPayload: number;
}

/** Most messages, and most characters, that are buffered; beyond them reading is paused. */
const maxWaiting = 256;
const maxWaitingLength = 32 * 1024 * 1024;

/** The interface's address as a WebSocket URL: no WebSocket address is documented, and the card has no other one. */
export function socketUrl(url: URL): URL {
  const socket = new URL(url);
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  socket.hash = '';
  return socket;
}

/** Stands around a message: it is all that came. */
const nothing: Frame['around'] = ['', ''];

/** An open WebSocket that is only read. Nothing is sent on it. */
export class TaskSocket {
  readonly record: ExchangeRecord;
  readonly #socket: WebSocket;
  #waiting: Frame[] = [];
  #waitingLength = 0;
  #seq = 0;
  #over = false;
  #arrival = Promise.withResolvers<void>();

  constructor(socket: WebSocket, record: ExchangeRecord) {
    this.#socket = socket;
    this.record = record;
    socket.on('message', data => this.#receive(record.credentials.maskEvent(String(data))));
  }

  /** True once it is closed by either side. */
  get over(): boolean {
    return this.#over;
  }

  /** The messages since the last call, at least one; undefined once there will be no more. */
  async next(): Promise<readonly Frame[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#over) return undefined;
      await this.#arrival.promise;
    }
    const frames = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    if (this.#socket.isPaused) this.#socket.resume();
    return frames;
  }

  /** Closes the WebSocket. */
  close(): void {
    this.end(closedByClient);
    this.#socket.close(1000);
    // Does not wait long for an agent that does not answer the close frame.
    setTimeout(() => this.#socket.terminate(), 1000).unref();
  }

  /** @param failure why it ended, where the agent did not close it */
  end(failure?: string): void {
    this.#over = true;
    this.record.end(failure);
    this.#arrival.resolve();
  }

  #receive(data: string): void {
    if (this.#over) return;
    const frame = { seq: this.#seq++, at: now(), data, around: nothing };
    this.record.frames([frame]);
    this.record.heard(data.length);
    this.#waiting.push(frame);
    this.#waitingLength += data.length;
    if (this.#waiting.length >= maxWaiting || this.#waitingLength >= maxWaitingLength) this.#socket.pause();
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
  }
}

/**
 * Opens the agent's WebSocket (RFC 6455) with the configured headers: it is at the approved origin of the interface, and redirects are not
 * followed. Its handshake is an exchange of its own. Undefined where it does not open: the exchange has the reason, and callers poll
 * instead.
 */
export async function openTaskSocket(
  endpoint: Endpoint,
  subject: ExchangeSubject,
  { opening, maxPayload }: SocketLimits,
  { log, signal }: CallOptions,
): Promise<TaskSocket | undefined> {
  const { openWebSocket } = await import('./webSocket.ts');
  const url = socketUrl(await endpoint.headers.addressed(endpoint.url));
  const headers = await endpoint.headers.to(endpoint.url);
  const satisfies = await endpoint.headers.satisfies(endpoint.url);
  let route: SocketRoute;
  try {
    route = await endpoint.http.route(endpoint.url, endpoint.headers.tls);
  } catch (error) {
    // The next request reports to the person that the proxy cannot be used.
    if (!(error instanceof ProxyFailure)) throw error;
    return undefined;
  }
  const over = new AbortController();
  const { promise, resolve } = Promise.withResolvers<TaskSocket | undefined>();
  let record: ExchangeRecord | undefined;
  let open: TaskSocket | undefined;
  const fail = (failure: string): void => {
    over.abort();
    clearTimeout(timer);
    open?.end(failure);
    record?.end(failure);
    resolve(undefined);
  };
  let socket: WebSocket;
  try {
    socket = openWebSocket(url, route, over.signal, {
      headers,
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload,
      finishRequest: request => {
        const sent = Object.entries(request.getHeaders()).map(([name, value]) => [name, String(value)] as const);
        record = new ExchangeRecord(
          log,
          { ...subject, satisfies },
          { method: 'GET', url, headers: sent, secret: endpoint.headers.secret, body: '' },
        );
        request.end();
      },
    });
  } catch (error) {
    // A header that cannot be sent: the next request reports it to the person.
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
  // A timer of our own: that of the library restarts with any bytes before the answer.
  const timer = setTimeout(() => {
    fail(`The agent opened no WebSocket within ${opening / 1000} seconds.`);
    socket.terminate();
  }, opening);
  // Once the close frame is sent, the agent's is awaited.
  const stop = (): void => {
    if (open?.over === true) return;
    fail(closedByClient);
    socket.terminate();
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  socket.on('upgrade', response => record?.head(response.statusCode ?? 0, pairs(response)));
  socket.on('unexpected-response', (request, response) => {
    record?.head(response.statusCode ?? 0, pairs(response));
    request.destroy();
    fail(`The agent answered HTTP ${response.statusCode} and opened no WebSocket.`);
  });
  socket.on('open', () => {
    clearTimeout(timer);
    open = new TaskSocket(socket, record!);
    resolve(open);
  });
  socket.on('error', error =>
    fail(connectionProblem(error, { url, answering: open !== undefined, headersTimeoutMs: opening, connectTimeoutMs: opening }).message),
  );
  socket.on('close', code => {
    signal?.removeEventListener('abort', stop);
    fail(`The agent closed the WebSocket (${code}).`);
  });
  return promise;
}

function pairs({ rawHeaders }: IncomingMessage): Headers {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) headers.push([rawHeaders[index]!, rawHeaders[index + 1]!]);
  return headers;
}
