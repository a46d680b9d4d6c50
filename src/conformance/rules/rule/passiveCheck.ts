import type { Exchange } from '../../../protocol/exchange.ts';
import type { LocalizedMessage } from '../../../protocol/problem.ts';
import type { RuleVersion } from './rule.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A card as it came, of any version. */
export interface CardView {
  readonly kind: 'card';
  readonly version: RuleVersion;
  /** Not nested deeper than what is read (`protocol/json/depth.ts`). */
  readonly card: Fields;
  /** Address that it came from; undefined for the text of a file. */
  readonly url: string | undefined;
  /** Headers of the answer by lower-case name; undefined for the text of a file and over gRPC. */
  readonly headers: ReadonlyMap<string, string> | undefined;
}

/** The request, which is known before anything comes. */
export interface RequestView {
  readonly version: RuleVersion;
  /** As cards name it: `JSONRPC`, `HTTP+JSON`, `GRPC`. */
  readonly binding: string;
  /** An A2A 1.0 operation, whatever its name in the version is. */
  readonly operation: string;
  /** The request with its credentials masked. */
  readonly request: Exchange['request'];
  /** The parameters as they were written: JSON-RPC's `params`, the body over HTTP+JSON and gRPC, of a GET the query with its values as text. */
  readonly params: Fields;
}

/** An error, in whatever shape it came. */
export interface ErrorView {
  /** JSON-RPC's code, or that of the error which its `reason` names; undefined where neither is there. */
  readonly code: number | undefined;
  /** The object with the code: JSON-RPC's `error`, that of `google.rpc.Status`, or the body itself. */
  readonly value: Fields;
  /** Pointer to that object in the body. */
  readonly pointer: string;
}

/** An answer that is not a stream, when all of it has come. */
export interface AnswerView extends RequestView {
  readonly kind: 'answer';
  /** HTTP status; 200 over gRPC, where the status is in the trailers. */
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body's JSON; undefined where it is none. */
  readonly json: unknown;
  /** The content of the binding's envelope; undefined for an error. */
  readonly result: unknown;
  /** Pointer to the result in the body. */
  readonly pointer: string;
  readonly error: ErrorView | undefined;
}

/** One event of a stream, after those before it. Chunks of text that are right in every member are not looked at. */
export interface EventView extends RequestView {
  readonly kind: 'event';
  /** 0 for the first of its stream. */
  readonly seq: number;
  /** The content of the binding's envelope. */
  readonly result: unknown;
  /** Pointer to the result in the event's data. */
  readonly pointer: string;
  /** The latest state of the task in the events before this one, as the version spells it. */
  readonly state: string | undefined;
}

/** Notes a deviation. @param pointer into the card, the body or the event's data @param what a sentence with the values that were found */
export type PassiveNote = (pointer: string, what: LocalizedMessage, more?: { readonly disputed?: true }) => void;

/**
 * How a rule is checked on what comes anyway. Pure, without a state or a clock (what it needs of the exchange is in its view), and bounded: it looks at a limited number of values, and never throws
 * whatever the agent sent. Called only for versions and bindings that its rule holds for.
 */
export interface PassiveCheck {
  readonly card?: (view: CardView, note: PassiveNote) => void;
  readonly answer?: (view: AnswerView, note: PassiveNote) => void;
  readonly event?: (view: EventView, note: PassiveNote) => void;
}
