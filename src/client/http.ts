import type { Headers } from '../protocol/exchange.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { cancelled, connectionProblem, timedOut, type ConnectionProblem } from './connectionProblem.ts';
import type { Dispatcher, RequestOptions, ResponseData } from './dispatcher.ts';
import { ExchangeRecord, type ExchangeSubject } from './exchangeRecord.ts';
import { HttpResponse } from './httpResponse.ts';
import type { WireLog } from './wireLog.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Headers;
  /** Lower-case names of headers to keep out of the log although their names do not tell. */
  readonly secret?: ReadonlySet<string>;
  readonly body?: string;
  /** Longest wait for the head of the answer, in milliseconds; 0 waits until cancelled. */
  readonly headersTimeoutMs: number;
  /** Longest silence inside the answer, in milliseconds; 0 waits until cancelled. */
  readonly bodyTimeoutMs: number;
  /** Longest time for the whole exchange, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly subject: ExchangeSubject;
  readonly log?: WireLog;
}

/**
 * HTTP/1.1 through a dispatcher of our own. One call is one exchange on the wire: nothing is repeated and no redirect is followed
 * here. Asks for no compression, so that what is logged is what was sent.
 */
export class Http {
  /** Longest wait for a connection. */
  readonly connectTimeoutMs: number;
  /** undici is a third of what we are: it is read and compiled with the first request. */
  #dispatcher: Promise<Dispatcher> | undefined;
  /** Their requests come to their end. */
  readonly #retired = new Set<Promise<Dispatcher>>();
  readonly #closing = new AbortController();

  constructor({ connectTimeoutMs = 10_000 }: { readonly connectTimeoutMs?: number } = {}) {
    this.connectTimeoutMs = connectTimeoutMs;
  }

  /**
   * Sends a request and waits for the head of the answer; its record is ended by whoever reads the answer.
   * @throws Problem `bad-header` for a header that cannot be sent; ConnectionProblem when there is no answer.
   */
  async request(request: HttpRequest): Promise<HttpResponse> {
    const { method, url, headers, body = '', secret = new Set(), signal } = request;
    checkHeaders(headers);
    const record = new ExchangeRecord(request.log, request.subject, { method, url, headers, secret, body });
    const deadline = request.timeoutMs === undefined ? undefined : AbortSignal.timeout(request.timeoutMs);
    const explain = (error: unknown, answering: boolean): ConnectionProblem => {
      const reached = answering ? 'yes' : 'unknown';
      if (signal?.aborted) return cancelled(reached, error);
      if (deadline?.aborted) return timedOut((request.timeoutMs ?? 0) / 1000, reached, error);
      return connectionProblem(error, {
        url, answering, headersTimeoutMs: request.headersTimeoutMs, connectTimeoutMs: this.connectTimeoutMs,
      });
    };
    const stop = anyOf(signal, deadline);
    try {
      if (signal?.aborted) throw cancelled('no', signal.reason);
      const data = await unlessStopped(this.#dispatch({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: headers.flat(),
        body: request.body,
        signal: stop,
        headersTimeout: request.headersTimeoutMs,
        bodyTimeout: request.bodyTimeoutMs,
      }), stop);
      return new HttpResponse(data, url, record, error => explain(error, true));
    } catch (error) {
      const problem = error instanceof Problem ? error : explain(error, false);
      record.end(problem);
      throw problem;
    }
  }

  /** What is asked from now on goes over connections of its own: those of before a sleep may be dead without anybody saying so. */
  renew(): void {
    const old = this.#dispatcher;
    if (old === undefined) return;
    this.#dispatcher = undefined;
    this.#retired.add(old);
    void old.then(dispatcher => dispatcher.close()).finally(() => this.#retired.delete(old));
  }

  /** Aborted by `close`, for connections that are made elsewhere. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Breaks every connection that is open. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#dispatcher, ...this.#retired].map(async dispatcher => (await dispatcher)?.destroy()));
  }

  async #dispatch(options: RequestOptions): Promise<ResponseData> {
    if (this.closing.aborted && this.#dispatcher === undefined) throw this.closing.reason;
    this.#dispatcher ??= import('./dispatcher.ts').then(({ Dispatcher }) => new Dispatcher(this.connectTimeoutMs));
    return (await this.#dispatcher).request(options);
  }
}

/** Field names and values as RFC 9110 §5 has them. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws Problem `bad-header` for one that cannot be sent. */
export function checkHeaders(headers: Headers): void {
  for (const [name, value] of headers) {
    if (headerName.test(name) && headerValue.test(value)) continue;
    throw new Problem('bad-header', sentence('The header {0} cannot be sent: its name or value has characters that HTTP does not allow.', name), {
      nextStep: sentence('Correct it in the agent\'s headers.'),
    });
  }
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const some = signals.filter(signal => signal !== undefined);
  return some.length > 1 ? AbortSignal.any(some) : some[0];
}

/** undici lets a cancelled request wait until its connection is made or refused; nobody should have to wait for that. */
async function unlessStopped(response: Promise<ResponseData>, stop: AbortSignal | undefined): Promise<ResponseData> {
  if (stop === undefined) return response;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(stop.reason);
    stop.addEventListener('abort', onAbort, { once: true });
    response.then(resolve, reject).finally(() => stop.removeEventListener('abort', onAbort));
  });
}
