import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { createNodeHttpClient } from '@connectrpc/connect-node';
import { createTransport } from '@connectrpc/connect/protocol-grpc';
import type { Headers as HeaderList } from '../../../protocol/exchange.ts';
import { errorDetails } from './errorDetails.ts';
import { Envelopes, prefixLength } from './envelopes.ts';
import { GrpcFailure, type GrpcFault, type GrpcStage } from './failure.ts';
import { Session } from './session.ts';

export interface ConnectionOptions {
  /** Address of the service, `http:` for HTTP/2 without TLS. */
  readonly url: URL;
  readonly connectTimeoutMs: number;
  /** Longest message that is read, in bytes. */
  readonly maxMessageBytes: number;
}

/** Whether a message has more values than are read. */
export type HoldsMany = (message: Uint8Array) => boolean;

/** Is told what goes over the connection besides the messages of the answer. */
export interface ConnectionObserver {
  /** The request is about to be sent; `message` is as it will be on the wire. */
  sending(url: string, headers: HeaderList, message: Uint8Array): void;
  head(status: number, headers: HeaderList): void;
  trailers(headers: HeaderList): void;
}

type HttpClient = ReturnType<typeof createNodeHttpClient>;
type HttpRequest = Parameters<HttpClient>[0];
type HttpResponse = Awaited<ReturnType<HttpClient>>;

/**
 * The HTTP/2 connection of one call. It sees the bytes that Connect sends and gets, and knows how far the call has come. Nothing is
 * compressed, so that what is recorded is what was sent.
 */
export class Connection {
  readonly transport: Transport;
  /** Messages of the answer as they were on the wire that nobody took yet; whoever takes a message from Connect takes one here. */
  readonly waiting: Uint8Array[] = [];
  readonly #envelopes: Envelopes;
  readonly #holdsMany: HoldsMany;
  readonly #options: ConnectionOptions;
  readonly #observer: ConnectionObserver;
  readonly #session: Session;
  readonly #client: HttpClient;
  #stage: GrpcStage = 'connecting';
  #answer: HttpResponse | undefined;

  constructor(options: ConnectionOptions, observer: ConnectionObserver, holdsMany: HoldsMany) {
    this.#holdsMany = holdsMany;
    this.#options = options;
    this.#observer = observer;
    this.#session = new Session(options.url);
    this.#client = createNodeHttpClient({ httpVersion: '2', sessionProvider: () => this.#session });
    this.#envelopes = new Envelopes(options.maxMessageBytes);
    this.transport = createTransport({
      baseUrl: options.url.origin + options.url.pathname,
      httpClient: request => this.#send(request),
      useBinaryFormat: true,
      // A level of JSON is two messages, a value and a list or struct; the model reads 256 levels and says so where there are more.
      binaryOptions: { recursionLimit: 600 },
      interceptors: [],
      acceptCompression: [],
      sendCompression: null,
      compressMinBytes: 0,
      readMaxBytes: options.maxMessageBytes,
      writeMaxBytes: 0xffff_ffff,
    });
  }

  /** Breaks the connection. */
  close(): void {
    this.#session.close();
  }

  /** The answer is over, well or not. */
  tellTrailers(): void {
    const trailers = [...(this.#answer?.trailer ?? [])];
    if (trailers.length > 0) this.#observer.trailers(trailers);
  }

  /** What made the call fail, from the error that Connect threw and from what was seen on the wire. */
  explain(error: unknown): GrpcFailure {
    const connectError = ConnectError.from(error);
    const root = rootOf(connectError);
    if (root instanceof GrpcFailure) return root;
    const fault = this.#fault(connectError);
    // What Connect could not read of a status says nothing of why the agent refused; the agent's own words do.
    const words = fault.kind === 'status' && !isRead(connectError) ? (this.#words() ?? connectError.rawMessage) : connectError.rawMessage;
    return new GrpcFailure(words, fault, this.#stage, this.#session.error ?? root);
  }

  /** What the agent says of its status. */
  #words(): string | undefined {
    const said = this.#answer?.trailer.get('grpc-message') ?? this.#answer?.header.get('grpc-message');
    try {
      return typeof said === 'string' ? decodeURIComponent(said) : undefined;
    } catch {
      // As it is, where it is not percent-encoded.
      return said ?? undefined;
    }
  }

  #fault(error: ConnectError): GrpcFault {
    const [unread] = this.waiting;
    if (this.#envelopes.tooLong) return { kind: 'too-large' };
    // Connect takes each message as soon as it is whole: one that is left over is one that it could not decode.
    if (unread !== undefined) return { kind: 'unreadable', bytes: unread };
    const said = this.#answer?.trailer.get('grpc-status') ?? this.#answer?.header.get('grpc-status');
    if (typeof said === 'string' && said !== '0') {
      const status = /^\d{1,2}$/.test(said) ? Number(said) : Code.Unknown;
      return { kind: 'status', status, details: errorDetails(error) };
    }
    if (error.code === Code.DeadlineExceeded) return { kind: 'deadline' };
    if (this.#answer !== undefined && !isGrpc(this.#answer)) return { kind: 'http', status: this.#answer.status };
    return { kind: 'connection' };
  }

  async #send({ body, ...request }: HttpRequest): Promise<HttpResponse> {
    const envelope = await joined(body);
    this.#observer.sending(request.url, [...request.header], envelope.subarray(prefixLength));
    await this.#connect(request.signal);
    this.#stage = 'sent';
    const answer = await this.#client({ ...request, body: once(envelope) });
    this.#stage = 'answering';
    this.#answer = answer;
    this.#observer.head(answer.status, [...answer.header]);
    return { ...answer, body: this.#seen(answer.body) };
  }

  /** Connects before anything is sent, so that it is known whether anything was. */
  async #connect(signal: AbortSignal | undefined): Promise<void> {
    const timeout = AbortSignal.timeout(this.#options.connectTimeoutMs);
    const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    if (await doneBefore(this.#session.connect(), stop)) return;
    throw signal?.aborted === true ? signal.reason : new GrpcFailure('no connection in time', { kind: 'connect-timeout' }, 'connecting');
  }

  /** Hands on whole messages: Connect copies all it has of a message with every chunk of it. */
  async *#seen(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const envelopes = this.#envelopes;
    for await (const chunk of body) {
      for (const envelope of envelopes.push(chunk)) {
        const message = envelope.subarray(prefixLength);
        if (this.#holdsMany(message)) throw new GrpcFailure('too many values', { kind: 'too-many', bytes: message }, 'answering');
        this.waiting.push(message);
        yield envelope;
      }
      if (envelopes.tooLong) break;
    }
    yield envelopes.rest;
  }
}

const isGrpc = ({ status, header }: HttpResponse): boolean =>
  status === 200 && /^application\/grpc(\+proto)?(;|$)/i.test(header.get('content-type') ?? '');

/** Whether the error is the status that the agent sent, with its details; Connect marks it and has no word for the mark in its types. */
const isRead = (error: ConnectError): boolean => (error as { isWireError?: boolean }).isWireError === true;

/** The error at the bottom, which has Node's code. */
function rootOf(error: Error): unknown {
  let root: unknown = error;
  for (let depth = 0; depth < 10 && root instanceof Error && root.cause !== undefined; depth++) root = root.cause;
  return root;
}

async function joined(chunks: AsyncIterable<Uint8Array> = once()): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return new Uint8Array(Buffer.concat(all));
}

/** False when the signal came first. */
async function doneBefore(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const { promise: aborted, resolve } = Promise.withResolvers<false>();
  const onAbort = (): void => resolve(false);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work.then(() => true), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export async function* once<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
