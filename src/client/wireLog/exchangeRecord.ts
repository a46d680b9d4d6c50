import { randomUUID } from 'node:crypto';
import type { Exchange, Frame, Headers } from '../../protocol/exchange.ts';
import { maxFindings, type Finding, type Note } from '../../protocol/finding.ts';
import { Problem } from '../../protocol/problem.ts';
import { maskedHeaders, maskedUrl } from './maskedHeaders.ts';
import { SentCredentials } from './sentCredentials.ts';
import type { WireLog } from './wireLog.ts';

/** Milliseconds since the epoch, with fractions, never running backwards. */
export const now = (): number => performance.timeOrigin + performance.now();

/** What an exchange is about, as the caller sees it. */
export interface ExchangeSubject {
  /** Chosen by the caller, who then knows it before anything is sent; otherwise made here. */
  readonly exchangeId?: string;
  readonly operation: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
}

export interface RecordedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Lower-case names of headers whose values are masked whatever they are called. */
  readonly secret: ReadonlySet<string>;
  readonly body: string;
  /** The body as it is on the wire, where that is not its text. */
  readonly bytes?: Uint8Array;
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Reports to the wire log each time more is known of one exchange. */
export class ExchangeRecord {
  readonly id: string;
  /** What was sent and must not come back: the code that reads the answer masks it first. */
  readonly credentials: SentCredentials;
  readonly #log: WireLog | undefined;
  readonly #secret: ReadonlySet<string>;
  readonly #findings: Finding[] = [];
  readonly #noted = new Set<string>();
  #exchange: Exchange;

  constructor(log: WireLog | undefined, subject: ExchangeSubject, request: RecordedRequest) {
    this.#log = log;
    this.#secret = request.secret;
    const passwords = log?.passwords ?? [];
    this.credentials = new SentCredentials(request.url, request.headers, request.secret, passwords);
    const sent = new SentCredentials(new URL('a2a:'), [], new Set(), passwords);
    this.id = subject.exchangeId ?? randomUUID();
    this.#exchange = {
      id: this.id,
      operation: subject.operation,
      protocolBinding: subject.protocolBinding,
      protocolVersion: subject.protocolVersion,
      request: {
        method: request.method,
        url: this.credentials.mask(maskedUrl(request.url)),
        headers: maskedHeaders(request.headers, request.secret),
        body: sent.mask(request.body),
        ...(request.bytes !== undefined && { bytes: base64(sent.maskBytes(request.bytes)) }),
      },
      startedAt: now(),
      findings: [],
    };
    this.#log?.exchange(this.#exchange);
  }

  /** All findings so far, each once however often a stream repeats it. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  readonly note: Note = (rule, pointer, message) => {
    if (this.#findings.length >= maxFindings) return;
    const key = `${rule} ${pointer} ${message}`;
    if (this.#noted.has(key)) return;
    this.#noted.add(key);
    this.#findings.push({ rule, pointer, message });
  };

  /** Bytes came, whatever they contain; `bytes`: so many of a stream. */
  heard(bytes?: number): void {
    this.#log?.heard?.(bytes);
  }

  /** The server sent an interim answer (RFC 9110 §15.2). */
  provisional(status: number): void {
    this.#log?.provisional?.(status);
  }

  head(status: number, headers: Headers): void {
    this.heard();
    this.#exchange = { ...this.#exchange, headersAt: now(), response: { status, headers: this.#masked(headers) } };
    this.#log?.exchange(this.#exchange);
  }

  /** @param text and `bytes` without credentials. */
  body(text: string, truncated: boolean, bytes?: Uint8Array): void {
    this.#answered({ body: text, ...(truncated && { truncated }), ...(bytes !== undefined && { bytes: base64(bytes) }) });
  }

  trailers(trailers: Headers): void {
    this.#answered({ trailers: this.#masked(trailers) });
  }

  #masked(headers: Headers): Headers {
    return maskedHeaders(this.credentials.maskHeaders(headers), this.#secret);
  }

  #answered(more: Partial<NonNullable<Exchange['response']>>): void {
    const { response } = this.#exchange;
    if (response !== undefined) this.#exchange = { ...this.#exchange, response: { ...response, ...more } };
  }

  /** @param frames without credentials. */
  frames(frames: readonly Frame[]): void {
    // A stream may go on for hours: findings are reported meanwhile.
    if (this.#exchange.findings.length < this.#findings.length) {
      this.#exchange = { ...this.#exchange, findings: [...this.#findings] };
      this.#log?.exchange(this.#exchange);
    }
    this.heard();
    this.#log?.frames(this.id, frames);
  }

  /** The exchange is over; `failure` says why it ended early. Only the first call counts. */
  end(failure?: unknown): void {
    if (this.#exchange.endedAt !== undefined) return;
    if (failure instanceof Problem) failure.cameAboutIn(this.id);
    this.#exchange = {
      ...this.#exchange,
      endedAt: now(),
      findings: [...this.#findings],
      ...(failure !== undefined && { failure: this.credentials.mask(failure instanceof Error ? failure.message : String(failure)) }),
    };
    this.#log?.exchange(this.#exchange);
  }
}
