import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, OperationParams, UnaryResults } from '../protocol/message/operations.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';

/** One thing a scripted agent does while it answers. Objects are in core (1.0) shape; the agent writes them in its generation. */
export type Step =
  /** Status and headers of the answer, before anything else of it. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The result of a unary operation; for a streaming one, its only event, without a stream. */
  | { readonly answer: UnaryResults[keyof UnaryResults] }
  /** One event of a stream; the first opens it. */
  | { readonly event: StreamResponse }
  /** An error with JSON-RPC's code: the answer, or an event where a stream is open; in the binding's own shape and status. */
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  /** A JSON body without any envelope. */
  | { readonly json: unknown }
  | { readonly html: string }
  /** Bytes of the body as they are, in a write of their own. */
  | { readonly raw: string | Uint8Array }
  /** Milliseconds of silence. */
  | { readonly delay: number }
  /** Says nothing more and keeps the connection until the client leaves. */
  | { readonly stall: true }
  /** Closes the connection in the middle of the answer. */
  | { readonly close: true }
  /** The same, the hard way: TCP RST. */
  | { readonly reset: true };

/** A request as the agent got it. */
export interface ReceivedRequest<O extends Operation = Operation> {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Undefined where the body is no request for an operation of the agent's generation. */
  readonly operation: O | undefined;
  /** In core shape. */
  readonly params: OperationParams[O] | undefined;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** Steps that are the same for every request, or made for each. A script that ends ends its answer. */
export type Turn<O extends Operation = Operation> =
  | readonly Step[]
  | ((request: ReceivedRequest<O>) => Iterable<Step> | AsyncIterable<Step>);

/** What the agent does for each operation. One without a turn is answered with MethodNotFoundError. */
export type Script = { readonly [O in Operation]?: Turn<O> } & {
  /** Every GET; without it the card is at its well-known place and nothing anywhere else. */
  readonly AgentCard?: Turn;
};
