import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { Frame, Headers } from '../../protocol/exchange.ts';
import type { Finding, Note } from '../../protocol/finding.ts';
import type { OperationParams, StreamingOperation, UnaryOperation, UnaryResults } from '../../protocol/message/operations.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import type { ConfiguredHeaders } from '../http/configuredHeaders.ts';
import type { Http } from '../http/http.ts';
import type { WireLog } from '../wireLog/wireLog.ts';

export interface CallOptions {
  /** Aborts the call at once and closes its connection. */
  readonly signal?: AbortSignal;
  readonly log?: WireLog;
  /** Longest time for the whole call, in milliseconds; without it, the limit depends on the operation. */
  readonly timeoutMs?: number;
  /** Id for the exchange, for callers that must know it before anything is sent. */
  readonly exchangeId?: string;
  /** Send data even if it does not match the input schema in the agent's card. */
  readonly unchecked?: boolean;
}

export interface Answer<Result> {
  readonly result: Result;
  readonly exchangeId: string;
  readonly findings: readonly Finding[];
}

/** The content of one network chunk of a stream: at least one frame, possibly no events. */
export interface StreamBatch {
  readonly exchangeId: string;
  readonly events: readonly StreamResponse[];
  readonly frames: readonly Frame[];
  /** For each event, the number of the frame that it came in; absent where there are no frames. */
  readonly frameOf?: readonly number[];
  /** Findings since the previous batch. */
  readonly findings: readonly Finding[];
  /** Protocol version of the request, where it is not that of the interface. */
  readonly version?: string;
}

/**
 * A batch of the answer to a raw body, with each result (in JSON-RPC, the `result`) as received. An answer that is not a stream has no
 * frames.
 */
export interface RawBatch extends StreamBatch {
  readonly results: readonly unknown[];
  /** Set where the body subscribes to an existing task (SubscribeToTask). */
  readonly subscribes?: boolean;
}

/** The agent and interface that a transport calls. */
export interface Endpoint {
  readonly card: AgentCard;
  readonly url: URL;
  readonly version: Version;
  readonly http: Http;
  readonly headers: ConfiguredHeaders;
  /** The header that requests extensions, under its name in this version; empty where there are none to request. */
  readonly extensions: Headers;
  /** Tenant of the interface in the card, if it has one (A2A 1.0 §8.3.2); operations have it in their parameters. */
  readonly tenant?: string | undefined;
  /** True if the agent's card declares streaming. */
  readonly streams: boolean;
}

/**
 * Sends operations in one protocol binding. All methods throw a `Problem`: `A2AError` when the agent answers with an error,
 * `ConnectionProblem` when the connection fails. A stream throws only after it has yielded every event before the failure.
 */
export interface Transport {
  /** Name in cards: `JSONRPC`, `HTTP+JSON`, `GRPC` or a URI. */
  readonly protocolBinding: string;
  /** Other spellings in cards, as lower-case letters and digits only. */
  readonly aliases: readonly string[];
  /**
   * Converts an address to a web address, for bindings whose addresses cards also write in another notation.
   * @param base address of the card
   */
  address?(written: string, base: string): string;
  /** True if a protocol version has this binding. */
  supports(version: Version): boolean;

  call<O extends UnaryOperation>(
    endpoint: Endpoint,
    operation: O,
    params: OperationParams[O],
    options: CallOptions,
  ): Promise<Answer<UnaryResults[O]>>;
  stream<O extends StreamingOperation>(
    endpoint: Endpoint,
    operation: O,
    params: OperationParams[O],
    options: CallOptions,
  ): AsyncIterable<StreamBatch>;
  /**
   * Asks for the extended card (A2A 1.0 §3.1.11); absent for bindings without one.
   * @param read converts the JSON of the card that came in an exchange; its findings are added to that
   */
  extendedCard?<Result>(
    endpoint: Endpoint,
    read: (card: unknown, note: Note, exchangeId: string) => Result,
    options: CallOptions,
  ): Promise<Result>;
  /** Sends a body as it is written. Absent for bindings where a body alone is not a request. */
  sendRaw?(endpoint: Endpoint, body: string, options: CallOptions): AsyncIterable<RawBatch>;
}
