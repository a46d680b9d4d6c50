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
  };
  readonly startedAt: number;
  readonly response?: {
    readonly status: number;
    readonly headers: Headers;
    /** The whole body, absent for an event stream (see `Frame`). */
    readonly body?: string;
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

/** One server-sent event as it was on the wire. */
export interface Frame {
  /** 0 for the first event of its exchange. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}
