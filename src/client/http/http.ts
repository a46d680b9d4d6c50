import type { Headers } from '../../protocol/exchange.ts';
import { isSend, operations, type Operation } from '../../protocol/message/operations.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { cancelled, connectionProblem, onlyProvisional, timedOut, type ConnectionProblem } from './connectionProblem.ts';
import { ConnectionPool, type ConnectionPoolOptions, type SocketRoute } from './connectionPool.ts';
import type { ResponseData } from '../dispatcher/dispatcher.ts';
import { ExchangeRecord, type ExchangeSubject } from '../wireLog/exchangeRecord.ts';
import { HttpResponse } from './httpResponse.ts';
import type { KeptConnections } from './keptConnections.ts';
import type { ConnectionOptions, NetworkLoader } from '../network/network.ts';
import type { AgentTls } from './agentTls.ts';
import type { ObserveExchange } from '../wireLog/exchangeObserver.ts';
import type { SecretHeaders } from '../wireLog/maskedHeaders.ts';
import type { WireLog } from '../wireLog/wireLog.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Headers;
  /** Headers that are masked in the log although their names do not indicate a secret. */
  readonly secret?: SecretHeaders;
  /** TLS options in the agent's settings. */
  readonly tls?: AgentTls | undefined;
  readonly body?: string;
  /** Longest wait for the headers of the answer, in milliseconds; 0 waits until canceled. */
  readonly headersTimeoutMs: number;
  /** Longest silence within the answer, in milliseconds; 0 waits until canceled. */
  readonly bodyTimeoutMs: number;
  /** Longest time for the whole exchange, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly subject: ExchangeSubject;
  readonly log?: WireLog;
}

interface HttpOptions extends ConnectionPoolOptions {
  /** Loads what checks each exchange for deviations from the protocol; awaited before an answer is read. Nothing is checked without it. */
  readonly loadObserver?: (() => Promise<ObserveExchange>) | undefined;
}

/**
 * HTTP/1.1, or HTTP/2 where an agent's settings ask for it, through dispatchers of our own. One call is one exchange on the wire: nothing is
 * repeated and no redirects are followed. No compression is asked for; what comes compressed all the same is decompressed.
 */
export class Http {
  readonly #pool: ConnectionPool;
  readonly #connection: ConnectionOptions;
  readonly #loadObserver: HttpOptions['loadObserver'];

  /** @param connection options in the settings of the agent */
  constructor(options: HttpOptions = {}, connection: ConnectionOptions = {}, pool = new ConnectionPool(options)) {
    this.#pool = pool;
    this.#connection = connection;
    this.#loadObserver = options.loadObserver;
  }

  /** The same connections, for an agent with settings of its own about them. */
  for(connection: ConnectionOptions): Http {
    return new Http({ loadObserver: this.#loadObserver }, connection, this.#pool);
  }

  /** The passive checks of an exchange; undefined if there are none. */
  observer(): Promise<ObserveExchange | undefined> {
    return this.#loadObserver?.() ?? Promise.resolve(undefined);
  }

  /** Connections over which tasks were received. */
  get kept(): KeptConnections {
    return this.#pool.kept;
  }

  /** Longest wait for a connection, in milliseconds. */
  get connectTimeoutMs(): number {
    return this.#connection.connectTimeoutMs ?? this.#pool.connectTimeoutMs;
  }

  /** Longest wait for an answer to begin, in milliseconds; undefined unless the agent's settings have one. */
  get answerTimeoutMs(): number | undefined {
    return this.#connection.answerTimeoutMs;
  }

  /** Proxies and certificates in settings or environment. */
  get network(): NetworkLoader {
    return this.#pool.network;
  }

  /** How to connect to an address without HTTP/1.1. Rejects with a ProxyFailure, or a Problem `tls-files`. */
  route(url: URL, tls?: AgentTls): Promise<SocketRoute> {
    return this.#pool.route(url, { ...this.#connection, tls });
  }

  /**
   * Sends a request and waits for the headers of the answer; the code that reads the answer ends its record.
   * @throws Problem `bad-header` for a header that cannot be sent; ConnectionProblem when there is no answer
   */
  async request(request: HttpRequest): Promise<HttpResponse> {
    const { method, url, headers, body = '', secret = new Set<string>(), signal } = request;
    checkHeaders(headers);
    const record = new ExchangeRecord(request.log, request.subject, { method, url, headers, secret, body });
    const deadline = request.timeoutMs === undefined ? undefined : AbortSignal.timeout(request.timeoutMs);
    let provisional: number | undefined;
    // undici restarts its timeout with each interim answer (HTTP 1xx).
    const late = new AbortController();
    let headTimer: NodeJS.Timeout | undefined;
    const explain = (error: unknown, answering: boolean): ConnectionProblem => {
      const reached = answering ? 'yes' : 'unknown';
      if (signal?.aborted) return cancelled(reached, error);
      if (!answering && provisional !== undefined && (late.signal.aborted || deadline?.aborted)) {
        return onlyProvisional((late.signal.aborted ? request.headersTimeoutMs : (request.timeoutMs ?? 0)) / 1000, provisional, error);
      }
      if (deadline?.aborted) return timedOut((request.timeoutMs ?? 0) / 1000, reached, error);
      return connectionProblem(error, {
        url,
        answering,
        headersTimeoutMs: request.headersTimeoutMs,
        connectTimeoutMs: this.connectTimeoutMs,
      });
    };
    const stop = anyOf(signal, deadline, request.headersTimeoutMs > 0 ? late.signal : undefined);
    try {
      if (signal?.aborted) throw cancelled('no', signal.reason);
      const [data, observe] = await Promise.all([
        unlessStopped(
          this.#pool.request(
            url,
            {
              origin: url.origin,
              path: url.pathname + url.search,
              method,
              headers: headers.flat(),
              body: request.body,
              signal: stop,
              headersTimeout: request.headersTimeoutMs,
              bodyTimeout: request.bodyTimeoutMs,
              onInfo: ({ statusCode }) => {
                record.provisional(statusCode);
                provisional = statusCode;
                if (request.headersTimeoutMs > 0) headTimer ??= setTimeout(() => late.abort(), request.headersTimeoutMs);
              },
            },
            { ...this.#connection, tls: request.tls },
            {
              exchangeId: method === 'POST' && mayReturnUnfinishedTasks(request.subject.operation) ? record.id : undefined,
              onProxy: ({ authorization }) => {
                if (authorization !== undefined) record.credentials.add([['Proxy-Authorization', authorization]]);
              },
            },
          ),
          stop,
        ),
        this.observer(),
      ]);
      record.checkBy(observe);
      return new HttpResponse(data, url, record, error => explain(error, true));
    } catch (error) {
      const problem = error instanceof Problem ? error : explain(error, false);
      record.end(problem);
      throw problem;
    } finally {
      clearTimeout(headTimer);
    }
  }

  /** Makes later requests use new connections: after a sleep of the machine, old ones may be dead without an error. */
  renew(): void {
    this.#pool.renew();
  }

  /** Aborted by `close`, for connections that are opened elsewhere. */
  get closing(): AbortSignal {
    return this.#pool.closing;
  }

  /** Closes every open connection at once. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** True for operations whose answers contain tasks that may be unfinished when the answer ends, and for raw bodies. */
export const mayReturnUnfinishedTasks = (operation: string): boolean =>
  !(operations as readonly string[]).includes(operation) || isSend(operation as Operation) || operation === 'SubscribeToTask';

/** Header names and values according to RFC 9110 §5. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws Problem `bad-header` for a header that cannot be sent. */
export function checkHeaders(headers: Headers): void {
  for (const [name, value] of headers) {
    if (headerName.test(name) && headerValue.test(value)) continue;
    throw new Problem(
      'bad-header',
      sentence('The header {0} cannot be sent: its name or value has characters that HTTP does not allow.', name),
      {
        nextStep: hint(
          sentence("Correct it in the agent's headers."),
          'Correct it in --header, or in the headers of the agent in .vscode/settings.json.',
        ),
      },
    );
  }
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const some = signals.filter(signal => signal !== undefined);
  return some.length > 1 ? AbortSignal.any(some) : some[0];
}

/** Rejects as soon as the request is canceled; undici itself waits until the connection is made or refused. */
async function unlessStopped(response: Promise<ResponseData>, stop: AbortSignal | undefined): Promise<ResponseData> {
  if (stop === undefined) return response;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(stop.reason);
    stop.addEventListener('abort', onAbort, { once: true });
    response.then(resolve, reject).finally(() => stop.removeEventListener('abort', onAbort));
  });
}
