import { hasExactNumbers } from '../../protocol/json/exactNumber.ts';
import type { Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { requireShallow } from '../../protocol/json/nesting.ts';
import {
  isSend,
  type Operation,
  type OperationParams,
  type StreamingOperation,
  type UnaryOperation,
  type UnaryResults,
} from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { SecretFinder } from '../../protocol/secrets/splitSecrets.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { notInVersion } from '../../protocol/versions/shared/unreadable.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { withConfigured } from '../http/configuredHeaders.ts';
import { eventBatches, withEnd, type ReceivedFrames } from '../transport/eventBatches.ts';
import { base64, ExchangeRecord, now } from '../wireLog/exchangeRecord.ts';
import { grpcAddress } from './address.ts';
import { grpcProblem, isGrpcFailure, type GrpcCall } from './problem.ts';
import type { GrpcFailure } from './bundle/failure.ts';
import type { GrpcOperation } from './bundle/protoPackage.ts';
import type { GrpcMessage, PackageName } from './bundle/wire.ts';
import { mayReturnUnfinishedTasks, checkHeaders } from '../http/http.ts';
import { timeLimits } from '../http/timeLimits.ts';
import { streamBeginning } from '../transport/streamBeginning.ts';
import type { Answer, CallOptions, Endpoint, StreamBatch, Transport } from '../transport/transport.ts';
import { yieldToEventLoop } from '../transport/yieldToEventLoop.ts';

const protocolBinding = 'GRPC';

/** The protocol buffers package of each protocol version. */
const packages: Readonly<Record<string, PackageName>> = { '1.0': 'lf.a2a.v1', '0.3': 'a2a.v1', '0.2': 'a2a.v1' };

const maxMessageBytes = 32 * 1024 * 1024;
/**
 * Messages of at least this many bytes may take long to decode, write as JSON and read: each step then runs in its own turn of the event
 * loop.
 */
const longMessage = 256 * 1024;

/** Members that core requires and ProtoJSON leaves out when empty. */
const elided: { readonly [O in Operation]?: object } = { ListTasks: { tasks: [] } };

/** One call: its messages and its record in the wire log. */
class Call {
  /** Undefined until the request is sent. */
  record: ExchangeRecord | undefined;
  readonly form: Version;
  readonly #peer: Endpoint;
  readonly #operation: GrpcOperation;
  readonly #options: CallOptions;
  readonly #asked: GrpcCall;
  readonly #packageName: PackageName;
  readonly #abandoned = new AbortController();

  constructor(peer: Endpoint, operation: GrpcOperation, options: CallOptions) {
    const {
      version,
      url,
      http: { connectTimeoutMs },
    } = peer;
    this.form = version.protoForm ?? version;
    this.#peer = peer;
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

  /** @throws Problem, after the messages before it; bytes that could not be decoded are already recorded. */
  messages(operation: Operation, params: OperationParams[Operation]): AsyncGenerator<ReadMessage> {
    const { version } = this.#peer;
    if (hasExactNumbers(params)) throw inexact();
    // The protocol buffers contain only the operations of the specification.
    if (version.unspecifiedOperations?.includes(operation) === true) throw notInVersion(version.protocolVersion, operation);
    return this.sent(this.form.writeParams(operation, params));
  }

  /** The same for a message in the form of the package. */
  async *sent(message: unknown): AsyncGenerator<ReadMessage> {
    const { version, url, http, headers, extensions } = this.#peer;
    const { signal = new AbortController().signal, timeoutMs, log } = this.#options;
    const mayBringTasks = this.#operation !== 'AgentCard' && mayReturnUnfinishedTasks(this.#operation);
    const metadata = withConfigured(
      [
        ...(version.header === undefined ? [] : [['a2a-version', version.header] as const]),
        ...extensions.map(([name, value]) => [name.toLowerCase(), value] as const),
      ],
      headers,
    );
    checkHeaders(metadata);
    const { call } = await import('./bundle/wire.ts');
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
            signal: AbortSignal.any([signal, http.closing, this.#abandoned.signal]),
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
                },
                { method: 'POST', url: new URL(address), headers: sent, secret: headers.secret, body: JSON.stringify(message), bytes },
              );
              if (mayBringTasks) http.kept.use(this.record.id, { origin: undefined, close: () => close?.() });
            },
            head: (status, received) => this.record?.head(status, received),
            trailers: received => this.record?.trailers(received),
          },
        ),
      );
    } catch (error) {
      if (!isGrpcFailure(error)) throw error;
      if (error.fault.kind === 'unreadable' || error.fault.kind === 'too-many') this.unreadable(error.fault.bytes);
      throw grpcProblem(this.record === undefined ? error : withoutCredentials(error, this.record), this.#asked);
    } finally {
      if (close === undefined && this.record !== undefined) http.kept.exchangeFailed(this.record.id);
    }
  }

  /** Aborts the call. */
  abandon(): void {
    this.#abandoned.abort();
  }

  /** Records bytes that could not be decoded. */
  unreadable(bytes: Uint8Array): void {
    this.record?.body('', false, this.record.credentials.maskBytes(bytes));
  }

  async *#noted(messages: AsyncIterable<GrpcMessage>): AsyncGenerator<ReadMessage> {
    for await (const message of messages) {
      for (const { pointer, typeName, number, byteLength } of message.unknown) {
        this.record?.note(
          'GRPC-04',
          pointer,
          `${typeName} has no field ${number} in this version; its ${byteLength} bytes are in the exchange alone.`,
        );
      }
      if (message.bytes.byteLength >= longMessage) await yieldToEventLoop();
      yield this.#readable(message);
    }
  }

  #readable({ json, bytes }: GrpcMessage): ReadMessage {
    const text = JSON.stringify(json);
    const credentials = this.record?.credentials;
    const masked = credentials?.maskAnswer(text);
    return credentials === undefined || masked === undefined || masked === text
      ? { json, text, bytes, at: now() }
      : { json: JSON.parse(masked) as unknown, text: masked, bytes: credentials.maskBytes(bytes), at: now() };
  }
}

/** A message from the agent in which credentials of the request are masked. */
interface ReadMessage {
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

/** Numbers in `google.protobuf.Value` are doubles. */
const inexact = (): Problem =>
  new Problem(
    'number-not-exact',
    sentence('A number in the message has more digits than gRPC can carry, so that another number would arrive.'),
    {
      nextStep: sentence('Write the number as text, or choose another interface of the agent.'),
    },
  );

async function call<O extends UnaryOperation>(
  peer: Endpoint,
  operation: O,
  params: OperationParams[O],
  options: CallOptions,
): Promise<Answer<UnaryResults[O]>> {
  // A send waits for the end of the agent's work, so only the caller can limit the time.
  const asked = new Call(peer, operation, {
    ...options,
    timeoutMs: options.timeoutMs ?? (isSend(operation) ? undefined : timeLimits.body),
  });
  return unary(asked, asked.messages(operation, params), (json, record) => ({
    result: asked.form.readResult(operation, isObject(json) ? { ...elided[operation], ...json } : json, record.note),
    exchangeId: record.id,
    findings: record.findings,
  }));
}

/** Reads the one message of a unary call. */
async function unary<Result>(
  asked: Call,
  messages: AsyncIterable<ReadMessage>,
  read: (json: unknown, record: ExchangeRecord) => Result,
): Promise<Result> {
  try {
    let answer: ReadMessage | undefined;
    for await (const message of messages) {
      if (answer === undefined) asked.record?.body(message.text, false, message.bytes);
      else asked.record?.note('GRPC-05', '', 'More than one message came; the first counts.');
      answer ??= message;
    }
    const { record } = asked;
    if (answer === undefined || record === undefined) throw silent();
    requireShallow(answer.json);
    const result = read(answer.json, record);
    record.end();
    return result;
  } catch (error) {
    asked.record?.end(error);
    throw error;
  }
}

/**
 * Gets the agent's card by its gRPC method (A2A 1.0 §3.1.11, 0.3 §7.10), as ProtoJSON. An agent may lack the method or require credentials
 * for it.
 * @param read converts the card to the result; its findings are added to the exchange
 */
export function grpcCard<Result>(peer: Endpoint, read: (card: unknown, note: Note) => Result, options: CallOptions): Promise<Result> {
  const asked = new Call(peer, 'AgentCard', options);
  return unary(asked, asked.sent({}), (json, { note }) => read(json, note));
}

function stream<O extends StreamingOperation>(
  peer: Endpoint,
  operation: O,
  params: OperationParams[O],
  options: CallOptions,
): AsyncGenerator<StreamBatch> {
  const asked = new Call(peer, operation, options);
  const begin = streamBeginning(operation, params, asked.form);
  const read = (json: unknown): readonly StreamResponse[] => {
    requireShallow(json);
    const { note } = asked.record!;
    const event = asked.form.readStreamResponse(json, note);
    begin(event, note);
    return [event];
  };
  return withEnd(eventBatches(arrivals(asked, operation, params), read, silent), failure => asked.record?.end(failure));
}

async function* arrivals(asked: Call, operation: Operation, params: OperationParams[Operation]): AsyncGenerator<ReceivedFrames> {
  let seq = 0;
  const credentials: SecretFinder = {
    spansIn: text => asked.record?.credentials.spansIn(text) ?? [],
    pendingIn: text => asked.record?.credentials.pendingIn(text) ?? 0,
  };
  const { unsplit } = await import('../sse/unsplit.ts');
  for await (const arrival of unsplit(asked.messages(operation, params), credentials, {
    items: message => [message],
    dataOf: ({ text }) => text,
    rewritten: rewrittenMessage,
    abandon: () => asked.abandon(),
  })) {
    const messages = 'untouched' in arrival ? [arrival.untouched] : arrival.items;
    const frames = messages.map(({ text, bytes, at }) => ({ seq: seq++, at, data: text, bytes: base64(bytes) }));
    asked.record?.heard(frames.reduce((sum, { data, bytes }) => sum + data.length + bytes.length, 0));
    yield { record: asked.record!, frames, open: index => ({ results: [messages[index]!.json], isPlain: true }) };
  }
}

/** Keeps the number of bytes, as `maskBytes` does. */
function rewrittenMessage(message: ReadMessage, text: string, removed: string): ReadMessage {
  const bytes = Buffer.from(message.bytes);
  const fragment = Buffer.from(removed);
  const at = fragment.byteLength === 0 ? -1 : bytes.lastIndexOf(fragment);
  if (at !== -1) bytes.fill('*', at, at + fragment.byteLength);
  return { ...message, json: JSON.parse(text) as unknown, text, bytes };
}

function silent(): Problem {
  return new Problem('empty-answer', sentence('The agent ended the call without saying anything.'), {
    nextStep: sentence("Look at the agent's own log at this time."),
  });
}

/** gRPC over HTTP/2 (A2A 1.0 §10, 0.3 §3.2.2). Its packages are loaded with the first call. */
export const grpc: Transport = {
  protocolBinding,
  aliases: ['grpcprotobuf'],
  address: grpcAddress,
  supports: ({ protocolVersion }) => packages[protocolVersion] !== undefined,
  call,
  stream,
};
