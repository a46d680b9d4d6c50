import type { Headers } from '../protocol/exchange.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { ResponseData } from './dispatcher.ts';
import type { ExchangeRecord } from './exchangeRecord.ts';

/** Longest body that is read as a whole. */
const maxBodyBytes = 32 * 1024 * 1024;

/** An answer whose head has arrived. Its body is read once: as text, as chunks, or discarded. */
export class HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly url: URL;
  readonly record: ExchangeRecord;
  readonly #body: ResponseData['body'];
  readonly #explain: (error: unknown) => Error;

  /** @param explain puts a failure while the body is read in words. */
  constructor(data: ResponseData, url: URL, record: ExchangeRecord, explain: (error: unknown) => Error) {
    this.status = data.statusCode;
    this.headers = pairs(data.headers as unknown as readonly string[]);
    this.url = url;
    this.record = record;
    this.#body = data.body;
    this.#explain = explain;
    record.head(this.status, this.headers);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Values of a header, joined as HTTP joins them; undefined where there is none. */
  header(name: string): string | undefined {
    const values = this.headers.filter(([candidate]) => candidate.toLowerCase() === name).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  }

  /** `type/subtype` in lower case without parameters; `""` where the answer names none. */
  get mediaType(): string {
    return (this.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  }

  /** Where a redirect leads; undefined for any other answer and for a redirect to nowhere. */
  get redirect(): URL | undefined {
    const location = [301, 302, 303, 307, 308].includes(this.status) ? this.header('location') : undefined;
    return location === undefined || !URL.canParse(location, this.url.href) ? undefined : new URL(location, this.url);
  }

  /** The body as it arrives; leaving the loop closes the connection. */
  async* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#body) yield chunk as Uint8Array;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /**
   * The whole body as text without a byte order mark; what arrived is put on record, also when it breaks off.
   * @throws Problem `too-large` beyond 32 MiB; ConnectionProblem when it breaks off.
   */
  async text(): Promise<string> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    let length = 0;
    let whole = false;
    try {
      for await (const chunk of this.chunks()) {
        length += chunk.byteLength;
        if (length > maxBodyBytes) throw tooLarge();
        text += decoder.decode(chunk, { stream: true });
      }
      text += decoder.decode();
      whole = true;
      return text.startsWith('\uFEFF') ? text.slice(1) : text;
    } finally {
      this.record.body(text, !whole);
    }
  }

  /** Closes the connection without reading the body. */
  discard(): void {
    this.#body.on('error', () => {}).destroy();
  }
}

export function tooLarge(): Problem {
  return new Problem('too-large', sentence('The answer is longer than {0} MiB, the most that is read.', maxBodyBytes / 1024 / 1024), {
    nextStep: sentence('Ask the agent for less at once, or for a stream.'),
  });
}

function pairs(flat: readonly string[]): Headers {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) headers.push([flat[index]!, flat[index + 1]!]);
  return headers;
}
