import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { createNodeHttpClient } from '@connectrpc/connect-node';
import { createTransport } from '@connectrpc/connect/protocol-grpc';
import type { Headers as HeaderList } from '../../../protocol/exchange.ts';
import { errorDetails } from './errorDetails.ts';
import { Envelopes, prefixLength } from './envelopes.ts';
import { GrpcFailure, type GrpcFault, type GrpcStage } from './failure.ts';
import { Session, type SessionRoute } from './session.ts';
import { maxFields } from './wireValues.ts';

export interface ConnectionOptions {
  /** Address of the service, `http:` for HTTP/2 without TLS. */
  readonly url: URL;
  readonly connectTimeoutMs: number;
  /** Default: a direct connection. */
  readonly route?: SessionRoute;
  /** Longest message that is accepted, in bytes. */
  readonly maxMessageBytes: number;
}

/** True where a message has more than `maxFields` fields. */
type HasTooManyFields = (message: Uint8Array) => boolean;

/** Called for what is transferred besides the messages of the answer. */
export interface ConnectionObserver {
  /** The request is about to be sent; `message` has the bytes on the wire. */
  sending(url: string, headers: HeaderList, message: Uint8Array): void;
  head(status: number, headers: HeaderList): void;
  trailers(headers: HeaderList): void;
}

type HttpClient = ReturnType<typeof createNodeHttpClient>;
type HttpRequest = Parameters<HttpClient>[0];
type HttpResponse = Awaited<ReturnType<HttpClient>>;

/**
 * The HTTP/2 connection of one call. It records the bytes that Connect sends and receives, and how far the call has come. Compression is
 * off, so that the record shows what was sent.
 */
export class Connection {
  readonly transport: Transport;
  /** Messages of the answer as received that were not taken yet: for each message from Connect, one is taken here. */
  readonly waiting: Uint8Array[] = [];
  readonly #envelopes: Envelopes;
  readonly #hasTooManyFields: HasTooManyFields;
  readonly #options: ConnectionOptions;
  readonly #observer: ConnectionObserver;
  readonly #session: Session;
  readonly #client: HttpClient;
  #stage: GrpcStage = 'connecting';
  #answer: HttpResponse | undefined;

  constructor(options: ConnectionOptions, observer: ConnectionObserver, hasTooManyFields: HasTooManyFields) {
    this.#hasTooManyFields = hasTooManyFields;
    this.#options = options;
    this.#observer = observer;
    this.#session = new Session(options.url, options.route);
    this.#client = createNodeHttpClient({ httpVersion: '2', sessionProvider: () => this.#session });
    this.#envelopes = new Envelopes(options.maxMessageBytes);
    this.transport = createTransport({
      baseUrl: options.url.origin + options.url.pathname,
      httpClient: request => this.#send(request),
      useBinaryFormat: true,
      // One level of JSON is two messages: a value, and a list or struct. The model accepts 256 levels and reports more.
      binaryOptions: { recursionLimit: 600 },
      interceptors: [],
      acceptCompression: [],
      sendCompression: null,
      compressMinBytes: 0,
      readMaxBytes: options.maxMessageBytes,
      writeMaxBytes: 0xffff_ffff,
    });
  }

  /** Closes the connection at once. */
  close(): void {
    this.#session.close();
  }

  /** To be called at the end of the answer, whether it succeeded or not. */
  reportTrailers(): void {
    const trailers = [...(this.#answer?.trailer ?? [])];
    if (trailers.length > 0) this.#observer.trailers(trailers);
  }

  /** Why the call failed, from Connect's error and from what was received. */
  explain(error: unknown): GrpcFailure {
    const connectError = ConnectError.from(error);
    const root = rootOf(connectError);
    if (root instanceof GrpcFailure) return root;
    const fault = this.#fault(connectError);
    // Where Connect could not decode the status, its error does not say why the agent refused, but the agent's message does.
    const words = fault.kind === 'status' && !isRead(connectError) ? (this.#words() ?? connectError.rawMessage) : connectError.rawMessage;
    return new GrpcFailure(words, fault, this.#stage, this.#session.error ?? root);
  }

  /** The agent's message for its status. */
  #words(): string | undefined {
    const value = this.#answer?.trailer.get('grpc-message') ?? this.#answer?.header.get('grpc-message');
    try {
      return typeof value === 'string' ? decodeURIComponent(value) : undefined;
    } catch {
      // Not percent-encoded: used as it is.
      return value ?? undefined;
    }
  }

  #fault(error: ConnectError): GrpcFault {
    const [unread] = this.waiting;
    if (this.#envelopes.tooLong) return { kind: 'too-large' };
    // Connect takes each complete message at once, so one that is left over could not be decoded.
    if (unread !== undefined) return { kind: 'unreadable', bytes: unread };
    const value = this.#answer?.trailer.get('grpc-status') ?? this.#answer?.header.get('grpc-status');
    if (typeof value === 'string' && value !== '0') {
      const status = /^\d{1,2}$/.test(value) ? Number(value) : Code.Unknown;
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

  /** Connects before anything is sent, so that it is known whether anything was sent. */
  async #connect(signal: AbortSignal | undefined): Promise<void> {
    const never = new AbortController().signal;
    if (!(await doneBefore(this.#session.openTunnel(), signal ?? never))) throw signal?.reason;
    const timeout = AbortSignal.timeout(this.#options.connectTimeoutMs);
    const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    if (await doneBefore(this.#session.connect(), stop)) return;
    throw signal?.aborted === true ? signal.reason : new GrpcFailure('no connection in time', { kind: 'connect-timeout' }, 'connecting');
  }

  /** Passes on only complete messages: Connect would copy an incomplete one with each of its chunks. */
  async *#seen(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const envelopes = this.#envelopes;
    for await (const chunk of body) {
      for (const envelope of envelopes.push(chunk)) {
        const message = envelope.subarray(prefixLength);
        if (this.#hasTooManyFields(message))
          throw new GrpcFailure('too many fields', { kind: 'too-many', maxFields, bytes: message }, 'answering');
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

/** True where the error is the status from the agent, with its details. Connect sets this flag but its types do not declare it. */
const isRead = (error: ConnectError): boolean => (error as { isWireError?: boolean }).isWireError === true;

/** The innermost cause, which has Node's code. */
function rootOf(error: Error): unknown {
  let root: unknown = error;
  for (let depth = 0; depth < 10 && root instanceof Error && root.cause !== undefined && !isWhole(root); depth++) root = root.cause;
  return root;
}

/** True for the failure of a proxy: its cause would be taken for a failure of the agent. */
const isWhole = ({ name }: Error): boolean => name === 'ProxyFailure';

async function joined(chunks: AsyncIterable<Uint8Array> = once()): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return new Uint8Array(Buffer.concat(all));
}

/** False where the signal was aborted first. */
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
