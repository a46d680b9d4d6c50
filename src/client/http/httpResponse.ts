import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Headers } from '../../protocol/exchange.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ResponseData } from '../dispatcher/dispatcher.ts';
import type { ExchangeRecord } from '../wireLog/exchangeRecord.ts';
import { decoded, isReadCoding, unknownCoding } from './contentCoding.ts';
import { Utf8Check } from './utf8Check.ts';

/** Longest body that is read as a whole, in bytes. */
const maxBodyBytes = 32 * 1024 * 1024;

/** True for a media type of JSON. */
export const isJsonType = (mediaType: string): boolean => /^application\/(?:.+\+)?json$/.test(mediaType);

/** Node delivers up to 32 chunks of a socket without a pause. After this many milliseconds of reading them, other code gets a turn. */
const maxTurnMs = 20;

/** An answer whose headers were received. Its body is received once: as text, which may be asked for again, as chunks, or discarded. */
export class HttpResponse {
  readonly status: number;
  /** Credentials of the request are masked. */
  readonly headers: Headers;
  readonly url: URL;
  readonly record: ExchangeRecord;
  readonly #body: ResponseData['body'];
  readonly #explain: (error: unknown) => Error;
  readonly #location: string | undefined;
  #unmasked: string | undefined;
  #text: Promise<string> | undefined;

  /** @param explain converts an error while reading the body to a problem. */
  constructor(data: ResponseData, url: URL, record: ExchangeRecord, explain: (error: unknown) => Error) {
    this.status = data.statusCode;
    const headers = pairs(data.headers as unknown as readonly string[]);
    this.headers = record.credentials.maskHeaders(headers);
    this.#location = joined(headers, 'location');
    this.url = url;
    this.record = record;
    this.#body = data.body;
    this.#explain = explain;
    record.head(this.status, headers);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Values of a header, joined by commas; undefined where there is none. */
  header(name: string): string | undefined {
    return joined(this.headers, name);
  }

  /** `type/subtype` in lower case without parameters; `""` where the header is missing. */
  get mediaType(): string {
    return (this.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  }

  /**
   * Content coding of the body, which servers may use without a request for it (RFC 9110 §12.5.3); undefined for none. Several codings are
   * in one text as written: `gzip, br`.
   */
  get #coding(): string | undefined {
    const coding = this.header('content-encoding')?.trim().toLowerCase() ?? '';
    return coding === '' || coding === 'identity' ? undefined : coding.slice(0, 40);
  }

  /** Target of a redirect; undefined for any other answer and for a redirect without a valid target. */
  get redirect(): URL | undefined {
    const location = [301, 302, 303, 307, 308].includes(this.status) ? this.#location : undefined;
    return location === undefined || !URL.canParse(location, this.url.href) ? undefined : new URL(location, this.url);
  }

  /** The chunks of a stream's body as they arrive, decompressed; leaving the loop closes the connection. */
  chunks(): AsyncGenerator<Uint8Array> {
    return this.#chunks(true);
  }

  /** Notes where they are no plain UTF-8, as JSON and events are (RFC 8259 §8.1, WHATWG HTML §9.2.1). A web page is neither. */
  async *#chunks(isStream: boolean): AsyncGenerator<Uint8Array> {
    const utf8 = this.mediaType === 'text/html' ? undefined : new Utf8Check();
    const check = (piece?: Uint8Array): void => {
      utf8?.take(piece);
      if (utf8?.isRight === false) this.record.notText(sentence('The answer is not UTF-8.'));
    };
    try {
      let turnedAt = performance.now();
      for await (const bytes of this.#content(isStream)) {
        check(bytes);
        yield bytes;
        if (performance.now() - turnedAt < maxTurnMs) continue;
        await setImmediate();
        turnedAt = performance.now();
      }
      check();
    } catch (error) {
      if (!(error instanceof Problem)) throw this.#explain(error);
      if (this.ok || error.code !== 'not-json') throw error;
    } finally {
      // While it is decompressed, more of the body may be waited for.
      if (this.#coding !== undefined) this.discard();
    }
  }

  async *#received(isStream: boolean): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#body) {
      const bytes = chunk as Uint8Array;
      this.record.heard(isStream ? bytes.byteLength : 0);
      yield bytes;
    }
  }

  /** The body, decompressed; of an answer without success, only if it can be. */
  #content(isStream: boolean): AsyncIterable<Uint8Array> {
    const received = this.#received(isStream);
    const coding = this.#coding;
    if (coding === undefined) return received;
    if (isReadCoding(coding)) return decoded(received, coding, sizes => this.record.decoded({ coding, ...sizes }));
    if (this.ok) throw unknownCoding(coding);
    return Readable.from([]);
  }

  /**
   * The body with the credentials that `text` masks, once that was read: for addresses, which would not work without them. Never show or
   * store it.
   */
  get unmasked(): string | undefined {
    return this.#unmasked;
  }

  /**
   * The whole body as text, without a byte order mark and with credentials of the request masked. What was received is recorded, even if it
   * breaks off; nothing of a body that is too long.
   * @param most longest body that is read, in bytes
   * @throws Problem `too-large` for a longer one; ConnectionProblem when it breaks off
   */
  text(most = maxBodyBytes): Promise<string> {
    return (this.#text ??= this.#receivedText(most));
  }

  async #receivedText(most: number): Promise<string> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    let length = 0;
    let whole = false;
    const refused = (): Problem => {
      text = '';
      this.discard();
      return tooLarge(most);
    };
    try {
      if (Number(this.header('content-length')) > most) throw refused();
      for await (const chunk of this.#chunks(false)) {
        length += chunk.byteLength;
        if (length > most) throw refused();
        text += decoder.decode(chunk, { stream: true });
      }
      text += decoder.decode();
      whole = true;
      this.#unmasked = withoutMark(text);
      text = this.record.credentials.maskAnswer(text);
      return withoutMark(text);
    } finally {
      this.record.body(whole ? text : this.record.credentials.maskCut(text), !whole);
    }
  }

  /** Closes the connection without reading the body. */
  discard(): void {
    this.#body.on('error', () => {}).destroy();
  }
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Values of a header, joined by commas; undefined where there is none. */
function joined(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([candidate]) => candidate.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

export function tooLarge(most = maxBodyBytes): Problem {
  return new Problem('too-large', sentence('The answer exceeds the limit of {0} MiB.', most / 1024 / 1024), {
    nextStep: sentence('Ask the agent for less at once, or for a stream.'),
  });
}

function pairs(flat: readonly string[]): Headers {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) headers.push([flat[index]!, flat[index + 1]!]);
  return headers;
}
