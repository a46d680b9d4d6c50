import type { Finding } from './finding.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * One request and its answer as they were on the wire. Header values with credentials are already masked; everything else is kept unchanged
 * (bodies as UTF-8 text). Times are milliseconds since the epoch, with fractions.
 */
export interface Exchange {
  readonly id: string;
  /** An A2A 1.0 operation, or `AgentCard` for fetching a card. */
  readonly operation: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body: string;
    /** The original bytes in base64, where the body was not text. `body` is then the same as ProtoJSON. */
    readonly bytes?: string;
  };
  readonly startedAt: number;
  readonly response?: {
    readonly status: number;
    readonly headers: Headers;
    /** The whole body; absent for an event stream (see `Frame`). */
    readonly body?: string;
    /** As `bytes` of the request. */
    readonly bytes?: string;
    /** Headers that were sent after the body. */
    readonly trailers?: Headers;
    /** Set where the body was longer than the limit and was cut there. */
    readonly truncated?: boolean;
  };
  /** When the headers of the response had arrived. */
  readonly headersAt?: number;
  readonly endedAt?: number;
  /** Why the exchange ended early, in English. */
  readonly failure?: string;
  readonly findings: readonly Finding[];
}

/** An exchange as lists show it, without headers and bodies. Times as in `Exchange`. */
export interface ExchangeSummary
  extends Pick<Exchange, 'id' | 'operation' | 'protocolBinding' | 'protocolVersion' | 'startedAt' | 'headersAt' | 'endedAt' | 'failure'> {
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  /** The error in the body of the answer, shortened. */
  readonly error?: string;
  /** How many events the stream has had so far, and when the first arrived. */
  readonly frames: number;
  readonly firstFrameAt?: number;
  readonly findings: number;
}

/** One event of a stream as it was on the wire: a server-sent event, a WebSocket message or a message of a gRPC stream. */
export interface Frame {
  /** 0 for the first event of its exchange. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly data: string;
  /** The original bytes in base64, where the event was not text. `data` is then the same as ProtoJSON. */
  readonly bytes?: string;
  readonly event?: string;
  readonly id?: string;
}
