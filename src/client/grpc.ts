import { isObject } from '../protocol/json.ts';
import { requireShallow } from '../protocol/nesting.ts';
import { isSend, type Operation, type OperationParams, type StreamingOperation, type UnaryOperation, type UnaryResults } from '../protocol/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/streamResponse.ts';
import type { Version } from '../protocol/versions/version.ts';
import { withConfigured } from './configuredHeaders.ts';
import { eventBatches, withEnd, type Arrival } from './eventBatches.ts';
import { base64, ExchangeRecord, now } from './exchangeRecord.ts';
import { grpcAddress } from './grpcAddress.ts';
import { grpcProblem, isGrpcFailure, type Asked } from './grpcProblem.ts';
import type { GrpcMessage, PackageName } from './grpc/wire.ts';
import { checkHeaders } from './http.ts';
import type { Answer, CallOptions, Peer, StreamBatch, Transport } from './transport.ts';

const protocolBinding = 'GRPC';

/** The package of protocol buffers that a generation speaks. */
const packages: Readonly<Record<string, PackageName>> = { '1.0': 'lf.a2a.v1', '0.3': 'a2a.v1', '0.2': 'a2a.v1' };

/** Longest wait for an answer that is not the agent's work itself. */
const unaryTimeoutMs = 60_000;
const maxMessageBytes = 32 * 1024 * 1024;

/** What ProtoJSON leaves out of an answer since it is empty, and core must have. */
const elided: { readonly [O in Operation]?: object } = { ListTasks: { tasks: [] } };

/** One call: its messages, and the record of what went over the wire. */
class Call {
  /** Undefined until something is sent. */
  record: ExchangeRecord | undefined;
  readonly form: Version;
  readonly #peer: Peer;
  readonly #operation: Operation;
  readonly #options: CallOptions;
  readonly #asked: Asked;
  readonly #packageName: PackageName;

  constructor(peer: Peer, operation: Operation, options: CallOptions) {
    const { version, url, http: { connectTimeoutMs } } = peer;
    this.form = version.protoForm ?? version;
    this.#peer = peer;
    this.#operation = operation;
    this.#options = options;
    this.#packageName = packages[version.protocolVersion]!;
    this.#asked = {
      url, operation, connectTimeoutMs, packageName: this.#packageName, errorNames: version.errorNames, signal: options.signal, timeoutMs: options.timeoutMs,
    };
  }

  /** @throws Problem, after the messages before it; what could not be decoded is on record by then. */
  async* messages(params: OperationParams[Operation]): AsyncGenerator<GrpcMessage> {
    const { version, url, http, headers, extensions } = this.#peer;
    const { signal = new AbortController().signal, timeoutMs, log } = this.#options;
    const message = this.form.writeParams(this.#operation, params);
    const metadata = withConfigured([
      ...(version.header === undefined ? [] : [['a2a-version', version.header] as const]),
      ...extensions.map(([name, value]) => [name.toLowerCase(), value] as const),
    ], headers);
    checkHeaders(metadata);
    const { call } = await import('./grpc/wire.ts');
    try {
      yield* this.#noted(call({
        url, message, timeoutMs, maxMessageBytes, packageName: this.#packageName, operation: this.#operation, headers: metadata,
        connectTimeoutMs: http.connectTimeoutMs, signal: AbortSignal.any([signal, http.closing]),
      }, {
        sending: (address, sent, bytes) => {
          this.record = new ExchangeRecord(log, {
            exchangeId: this.#options.exchangeId, operation: this.#operation, protocolBinding, protocolVersion: version.protocolVersion,
          }, { method: 'POST', url: new URL(address), headers: sent, secret: headers.secret, body: JSON.stringify(message), bytes });
        },
        head: (status, received) => this.record?.head(status, received),
        trailers: received => this.record?.trailers(received),
      }));
    } catch (error) {
      if (!isGrpcFailure(error)) throw error;
      if (error.fault.kind === 'unreadable') this.unreadable(error.fault.bytes);
      throw grpcProblem(error, this.#asked);
    }
  }

  /** Puts bytes on record that are no message. */
  unreadable(bytes: Uint8Array): void {
    this.record?.body('', false, bytes);
  }

  async* #noted(messages: AsyncIterable<GrpcMessage>): AsyncGenerator<GrpcMessage> {
    for await (const message of messages) {
      for (const { pointer, typeName, number, byteLength } of message.unknown) {
        this.record?.note('GRPC-04', pointer, `${typeName} has no field ${number} in this version; its ${byteLength} bytes are in the exchange alone.`);
      }
      yield message;
    }
  }
}

async function call<O extends UnaryOperation>(
  peer: Peer, operation: O, params: OperationParams[O], options: CallOptions,
): Promise<Answer<UnaryResults[O]>> {
  // A send waits for the agent's work to end, so only the caller can say when that has taken too long.
  const asked = new Call(peer, operation, { ...options, timeoutMs: options.timeoutMs ?? (isSend(operation) ? undefined : unaryTimeoutMs) });
  try {
    let answer: GrpcMessage | undefined;
    for await (const message of asked.messages(params)) {
      if (answer === undefined) asked.record?.body(JSON.stringify(message.json), false, message.bytes);
      else asked.record?.note('GRPC-05', '', 'More than one message came; the first counts.');
      answer ??= message;
    }
    const { record } = asked;
    if (answer === undefined || record === undefined) throw silent();
    const { json } = answer;
    requireShallow(json);
    const result = asked.form.readResult(operation, isObject(json) ? { ...elided[operation], ...json } : json, record.note);
    record.end();
    return { result, exchangeId: record.id, findings: record.findings };
  } catch (error) {
    asked.record?.end(error);
    throw error;
  }
}

function stream<O extends StreamingOperation>(
  peer: Peer, operation: O, params: OperationParams[O], options: CallOptions,
): AsyncGenerator<StreamBatch> {
  const asked = new Call(peer, operation, options);
  const read = (json: unknown): readonly StreamResponse[] => {
    requireShallow(json);
    return [asked.form.readStreamResponse(json, asked.record!.note)];
  };
  return withEnd(eventBatches(arrivals(asked, params), read, silent), failure => asked.record?.end(failure));
}

async function* arrivals(asked: Call, params: OperationParams[Operation]): AsyncGenerator<Arrival> {
  let seq = 0;
  for await (const { json, bytes } of asked.messages(params)) {
    const frame = { seq: seq++, at: now(), data: JSON.stringify(json), bytes: base64(bytes) };
    yield { record: asked.record!, frames: [frame], open: () => ({ result: json }) };
  }
}

function silent(): Problem {
  return new Problem('empty-answer', sentence('The agent ended the call without saying anything.'), {
    nextStep: sentence('Look at the agent\'s own log at this time.'),
  });
}

/** gRPC over HTTP/2 (A2A 1.0 §10, 0.3 §3.2.2). Its packages are loaded with the first call. */
export const grpc: Transport = {
  protocolBinding,
  aliases: ['grpcprotobuf'],
  address: grpcAddress,
  speaks: ({ protocolVersion }) => packages[protocolVersion] !== undefined,
  call,
  stream,
};
