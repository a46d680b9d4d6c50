import { hasExactNumbers } from '../../protocol/exactNumber.ts';
import { isStreaming, type Operation, type OperationParams } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { notInVersion } from '../../protocol/versions/shared/unreadable.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { withConfigured } from '../http/configuredHeaders.ts';
import { connectionProblem, proxyProblem } from '../http/connectionProblem.ts';
import { checkHeaders, mayReturnUnfinishedTasks } from '../http/http.ts';
import type { CallOptions, Endpoint } from '../transport/transport.ts';
import { yieldToEventLoop } from '../transport/yieldToEventLoop.ts';
import { ExchangeRecord, now } from '../wireLog/exchangeRecord.ts';
import { GrpcFailure } from './bundle/failure.ts';
import type { GrpcOperation } from './bundle/protoPackage.ts';
import type { PackageName } from './bundle/service.ts';
import type { GrpcMessage } from './bundle/wire.ts';
import { packages } from './packages.ts';
import { grpcProblem, type GrpcCall } from './problem.ts';

export const protocolBinding = 'GRPC';

const maxMessageBytes = 32 * 1024 * 1024;
/**
 * Messages of at least this many bytes may take long to decode, write as JSON and read: each step then runs in its own turn of the event
 * loop.
 */
const longMessage = 256 * 1024;

/** One call over gRPC: its messages and its record in the wire log. */
export class GrpcExchange {
  /** Undefined until the request is sent. */
  record: ExchangeRecord | undefined;
  readonly form: Version;
  readonly #endpoint: Endpoint;
  readonly #operation: GrpcOperation;
  readonly #options: CallOptions;
  readonly #asked: GrpcCall;
  readonly #packageName: PackageName;

  constructor(endpoint: Endpoint, operation: GrpcOperation, options: CallOptions) {
    const {
      version,
      url,
      http: { connectTimeoutMs },
    } = endpoint;
    this.form = version.protoForm ?? version;
    this.#endpoint = endpoint;
    this.#operation = operation;
    this.#options = options;
    this.#packageName = packages[version.protocolVersion]!;
    this.#asked = {
      url,
      operation,
      connectTimeoutMs,
      packageName: this.#packageName,
      errorNames: version.errorNames,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    };
  }

  /**
   * The messages of the agent, one at a time.
   * @throws Problem, after the messages before it; bytes that could not be decoded are already recorded.
   */
  messages(operation: Operation, params: OperationParams[Operation]): AsyncGenerator<readonly [GrpcAnswer]> {
    const { version } = this.#endpoint;
    if (hasExactNumbers(params)) throw inexact();
    // The protocol buffers contain only the operations of the specification.
    if (version.unspecifiedOperations?.includes(operation) === true) throw notInVersion(version.protocolVersion, operation);
    return this.sent(this.form.writeParams(operation, params));
  }

  /** The same for a message in the form of the package. */
  async *sent(message: unknown): AsyncGenerator<readonly [GrpcAnswer]> {
    const { version, url, http, headers, extensions } = this.#endpoint;
    const { signal = new AbortController().signal, timeoutMs, log } = this.#options;
    const mayBringTasks = this.#operation !== 'AgentCard' && mayReturnUnfinishedTasks(this.#operation);
    const metadata = await withConfigured(
      [
        ...(version.header === undefined ? [] : [['a2a-version', version.header] as const]),
        ...extensions.map(([name, value]) => [name.toLowerCase(), value] as const),
      ],
      headers,
      url,
    );
    checkHeaders(metadata);
    if ((await headers.addressed(url)).search !== url.search) throw keyInQuery();
    const satisfies = await headers.satisfies(url);
    const [{ call }, observe] = await Promise.all([import('./bundle/wire.ts'), http.observer()]);
    const route = await http.route(url, headers.tls).catch((error: unknown) => {
      throw proxyProblem(error) ?? error;
    });
    // The deadline of a call would end a stream, whose first answer alone is limited.
    const late = new AbortController();
    const { answerTimeoutMs } = http;
    const isLimited = answerTimeoutMs !== undefined && timeoutMs === undefined;
    const timer = isLimited ? setTimeout(() => late.abort(), answerTimeoutMs) : undefined;
    let close: (() => void) | undefined;
    const leave = (closeConnection: () => void): void => {
      close = closeConnection;
      http.kept.answerEnded(this.record!.id);
    };
    try {
      yield* this.#noted(
        call(
          {
            url,
            message,
            timeoutMs,
            maxMessageBytes,
            packageName: this.#packageName,
            operation: this.#operation,
            headers: metadata,
            connectTimeoutMs: http.connectTimeoutMs,
            route,
            signal: AbortSignal.any([signal, http.closing, late.signal]),
            ...(mayBringTasks && { takeOverConnection: leave }),
          },
          {
            sending: (address, sent, bytes) => {
              this.record = new ExchangeRecord(
                log,
                {
                  exchangeId: this.#options.exchangeId,
                  operation: this.#operation,
                  protocolBinding,
                  protocolVersion: version.protocolVersion,
                  satisfies,
                },
                { method: 'POST', url: new URL(address), headers: sent, secret: headers.secret, body: JSON.stringify(message), bytes },
              );
              this.record.checkBy(observe);
              if (mayBringTasks) http.kept.use(this.record.id, { origin: undefined, close: () => close?.() });
            },
            head: (status, received) => {
              clearTimeout(timer);
              this.record?.head(status, received);
            },
            trailers: received => this.record?.trailers(received),
          },
        ),
      );
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) throw unanswered(error, url, answerTimeoutMs!);
      if (!(error instanceof GrpcFailure)) throw error;
      if (error.fault.kind === 'unreadable' || error.fault.kind === 'too-many') this.unreadable(error.fault.bytes);
      throw grpcProblem(this.record === undefined ? error : withoutCredentials(error, this.record), this.#asked);
    } finally {
      clearTimeout(timer);
      if (close === undefined && this.record !== undefined) http.kept.exchangeFailed(this.record.id);
    }
  }

  /** Records bytes that could not be decoded. */
  unreadable(bytes: Uint8Array): void {
    this.record?.body('', false, this.record.credentials.maskBytes(bytes));
  }

  async *#noted(messages: AsyncIterable<GrpcMessage>): AsyncGenerator<readonly [GrpcAnswer]> {
    // Each message of a stream is an event of its exchange.
    const isStream = this.#operation !== 'AgentCard' && isStreaming(this.#operation);
    let seq = 0;
    for await (const message of messages) {
      if (isStream) this.record?.reading(seq++);
      for (const { pointer, typeName, number, byteLength } of message.unknown) {
        this.record?.note(
          'GRPC-04',
          pointer,
          sentence('{0} has no field {1} in this version; its {2} bytes are only in the exchange.', typeName, number, byteLength),
        );
      }
      this.record?.reading(undefined);
      if (message.bytes.byteLength >= longMessage) await yieldToEventLoop();
      yield [this.#readable(message, isStream)];
    }
  }

  #readable({ json, bytes }: GrpcMessage, isStream: boolean): GrpcAnswer {
    const text = JSON.stringify(json);
    const credentials = this.record?.credentials;
    const removed: string[] = [];
    const masked = isStream ? credentials?.maskEvent(text, piece => removed.push(piece)) : credentials?.maskAnswer(text);
    return credentials === undefined || masked === undefined || masked === text
      ? { json, text, bytes, at: now() }
      : { json: JSON.parse(masked) as unknown, text: masked, bytes: credentials.maskBytes(bytes, removed), at: now() };
  }
}

/** A message from the agent in which credentials of the request are masked. */
export interface GrpcAnswer {
  readonly json: unknown;
  /** `json` as text. */
  readonly text: string;
  /** The message as received. */
  readonly bytes: Uint8Array;
  /** When it was received, in milliseconds since the epoch. */
  readonly at: number;
}

/** Masks credentials, since an agent's error may quote the request. */
function withoutCredentials(failure: GrpcFailure, { credentials }: ExchangeRecord): GrpcFailure {
  const message = credentials.mask(failure.message);
  const { fault } = failure;
  const details = fault.kind === 'status' ? JSON.stringify(fault.details) : '';
  const masked = credentials.mask(details);
  if (message === failure.message && masked === details) return failure;
  return Object.assign(new Error(message, { cause: failure.cause }), {
    name: failure.name,
    stage: failure.stage,
    fault: fault.kind === 'status' ? { ...fault, details: JSON.parse(masked) as typeof fault.details } : fault,
  });
}

/** The failure of a call that was given up before an answer began. */
function unanswered(error: unknown, url: URL, limitMs: number): Problem {
  const isConnecting = error instanceof GrpcFailure && error.stage === 'connecting';
  const code = isConnecting ? 'UND_ERR_CONNECT_TIMEOUT' : 'UND_ERR_HEADERS_TIMEOUT';
  const cause = Object.assign(new Error('no answer in time', { cause: error }), { code });
  return connectionProblem(cause, { url, answering: false, headersTimeoutMs: limitMs, connectTimeoutMs: limitMs });
}

/** The path of a gRPC request is that of its method. */
const keyInQuery = (): Problem =>
  new Problem('grpc-query', sentence('The agent expects its API key in the query of the address, but gRPC requests have none.'), {
    nextStep: sentence('Choose another interface of the agent, or another way to sign in.'),
  });

/** Numbers in `google.protobuf.Value` are doubles. */
const inexact = (): Problem =>
  new Problem(
    'number-not-exact',
    sentence('A number in the message has more digits than gRPC can carry, so a different number would arrive.'),
    {
      nextStep: sentence('Write the number as text, or choose another interface of the agent.'),
    },
  );
