import type { Finding } from './finding.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * One request and its answer as they were on the wire. Header values that carry credentials are masked before they get here;
 * everything else is kept byte for byte (bodies as UTF-8 text). Times are milliseconds since the epoch, with fractions.
 */
export interface Exchange {
  readonly id: string;
  /** An A2A 1.0 operation, or `AgentCard` for a card fetch. */
  readonly operation: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body: string;
    /** Where the body was not text on the wire: its bytes in base64. `body` is then what they say, as ProtoJSON. */
    readonly bytes?: string;
  };
  readonly startedAt: number;
  readonly response?: {
    readonly status: number;
    readonly headers: Headers;
    /** The whole body, absent for an event stream (see `Frame`). */
    readonly body?: string;
    /** As `bytes` of the request. */
    readonly bytes?: string;
    /** Headers that came after the body. */
    readonly trailers?: Headers;
    /** Set when the body was longer than the cap and cut there. */
    readonly truncated?: boolean;
  };
  /** When the response's head had arrived. */
  readonly headersAt?: number;
  readonly endedAt?: number;
  /** Why it ended before its time, in English. */
  readonly failure?: string;
  readonly findings: readonly Finding[];
}

/** An exchange as lists show it, without headers and bodies. Times as in `Exchange`. */
export interface ExchangeSummary
  extends Pick<Exchange, 'id' | 'operation' | 'protocolBinding' | 'protocolVersion' | 'startedAt' | 'headersAt' | 'endedAt' | 'failure'> {
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  /** What the answer's body says went wrong, shortened. */
  readonly error?: string;
  /** How many events its stream had so far, and when the first came. */
  readonly frames: number;
  readonly firstFrameAt?: number;
  readonly findings: number;
}

/** One event of a stream as it was on the wire: server-sent, or a message of a gRPC stream. */
export interface Frame {
  /** 0 for the first event of its exchange. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly data: string;
  /** Where the event was not text on the wire: its bytes in base64. `data` is then what they say, as ProtoJSON. */
  readonly bytes?: string;
  readonly event?: string;
  readonly id?: string;
}
