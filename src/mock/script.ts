import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, OperationParams, UnaryResults } from '../protocol/message/operations.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';

/** One step of an answer. Objects are in core (1.0) shape; the agent writes them in its own version. */
export type Step =
  /** Status and headers; must be the first step. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The result of a unary operation; for a streaming one, a single event without a stream. */
  | { readonly answer: UnaryResults[keyof UnaryResults] }
  /** One event of a stream; the first opens the stream. */
  | { readonly event: StreamResponse }
  /** An error with JSON-RPC's code, written in the binding's shape and status: the answer, or an event where a stream is open. */
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  /** A JSON body without an envelope. */
  | { readonly json: unknown }
  | { readonly html: string }
  /** Bytes of the body, unchanged, in a write of their own. */
  | { readonly raw: string | Uint8Array }
  /** Pause, in milliseconds. */
  | { readonly delay: number }
  /** Sends nothing more and keeps the connection open until the client disconnects. */
  | { readonly stall: true }
  /** Closes the connection (FIN) in the middle of the answer. */
  | { readonly close: true }
  /** Resets the connection (TCP RST). */
  | { readonly reset: true };

/** A request as received by the agent. */
export interface ReceivedRequest<O extends Operation = Operation> {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Undefined where the body is not a request for an operation of the agent's version. */
  readonly operation: O | undefined;
  /** In core shape. */
  readonly params: OperationParams[O] | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Steps that are the same for every request, or a function that makes them for each. The answer ends after the last step. */
export type Turn<O extends Operation = Operation> =
  | readonly Step[]
  | ((request: ReceivedRequest<O>) => Iterable<Step> | AsyncIterable<Step>);

/** The agent's steps per operation. An operation without steps is answered with MethodNotFoundError. */
export type Script = { readonly [O in Operation]?: Turn<O> } & {
  /** Answers every GET; without it, the card is served at its well-known path and every other path is 404. */
  readonly AgentCard?: Turn;
};
