import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { Frame, Headers } from '../../protocol/exchange.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { OperationParams, StreamingOperation, UnaryOperation, UnaryResults } from '../../protocol/message/operations.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import type { ConfiguredHeaders } from '../http/configuredHeaders.ts';
import type { Http } from '../http/http.ts';
import type { WireLog } from '../wireLog/wireLog.ts';

export interface CallOptions {
  /** Stops the call at once and closes its connection. */
  readonly signal?: AbortSignal;
  readonly log?: WireLog;
  /** Longest time for the whole call, in milliseconds; without it a call waits as long as its operation may take. */
  readonly timeoutMs?: number;
  /** Id the exchange shall have, for a caller who must know it before anything is sent. */
  readonly exchangeId?: string;
  /** Data goes out although the agent's card says that it takes other data. */
  readonly unchecked?: boolean;
}

export interface Answer<Result> {
  readonly result: Result;
  readonly exchangeId: string;
  readonly findings: readonly Finding[];
}

/** What one network chunk of a stream brought: never without frames, possibly without events. */
export interface StreamBatch {
  readonly exchangeId: string;
  readonly events: readonly StreamResponse[];
  /**
   * For each event the number of the frame whose data is the same (`plainChunkIn`): a chunk of text in core shape. Undefined for any
   * other, and as a whole where there is none.
   */
  readonly heldBy?: readonly (number | undefined)[];
  readonly frames: readonly Frame[];
  /** Findings noted since the previous batch. */
  readonly findings: readonly Finding[];
}

/** A batch of the answer to a raw body: also each result (in JSON-RPC, the `result`) as it was on the wire. An answer that is no stream has no frames. */
export interface RawBatch extends StreamBatch {
  readonly results: readonly unknown[];
  /** The body asked for a task that goes on already (SubscribeToTask). */
  readonly joins?: boolean;
}

/** Whom a transport talks to. */
export interface Endpoint {
  readonly card: AgentCard;
  readonly url: URL;
  readonly version: Version;
  readonly http: Http;
  readonly headers: ConfiguredHeaders;
  /** The header that asks for extensions, under the name that the version has for it; empty where there is nothing to ask for. */
  readonly extensions: Headers;
  /** Whether the agent's card says that it streams. */
  readonly streams: boolean;
}

/**
 * How operations travel in one protocol binding. All of them throw a `Problem`: `A2AError` when the agent says no, `ConnectionProblem`
 * when the connection fails; a stream throws only after it has given every event before the fault.
 */
export interface Transport {
  /** As cards write it: `JSONRPC`, `HTTP+JSON`, `GRPC` or a URI. */
  readonly protocolBinding: string;
  /** Other spellings found in cards, in lower case, letters and digits only. */
  readonly aliases: readonly string[];
  /**
   * The web address that an address of this binding stands for, where cards write them in another way too.
   * @param base where the card was read.
   */
  address?(written: string, base: string): string;
  /** Whether a protocol version has this binding. */
  speaks(version: Version): boolean;

  call<O extends UnaryOperation>(
    peer: Endpoint,
    operation: O,
    params: OperationParams[O],
    options: CallOptions,
  ): Promise<Answer<UnaryResults[O]>>;
  stream<O extends StreamingOperation>(
    peer: Endpoint,
    operation: O,
    params: OperationParams[O],
    options: CallOptions,
  ): AsyncIterable<StreamBatch>;
  /** Sends a body as it is written. Absent where bodies do not stand for themselves. */
  sendRaw?(peer: Endpoint, body: string, options: CallOptions): AsyncIterable<RawBatch>;
}
