import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, OperationParams } from '../protocol/message/operations.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import { httpJson } from './httpJson.ts';
import { jsonRpc } from './jsonRpc.ts';
import type { Step } from './script.ts';

/** An error as scripts have it: code and data of JSON-RPC. */
export type ScriptedError = Extract<Step, { error: unknown }>['error'];

/** How the answer to one request is written. */
export interface ResponseFormat {
  readonly mediaType: string;
  /** A result of the generation, or an event, with whatever is around it. */
  result(written: unknown): unknown;
  error(error: ScriptedError): { readonly status: number; readonly body: unknown };
  /** Of an error that is the whole answer; `mediaType` otherwise. */
  readonly errorMediaType?: string;
  /** What an event that is an error is called, where it has a name. */
  readonly errorEvent?: string;
}

/** What every agent is asked for beside the operations: its webhooks (A2A 1.0 §3.1.7 to §3.1.10), its extended card (§3.1.11). */
export type Beside = 'push' | 'extendedCard';

/** A request as the binding takes it. */
export interface ParsedRequest {
  /** Undefined where it is no request for an operation. */
  readonly operation?: Operation;
  /** In core shape. */
  readonly params?: OperationParams[Operation];
  readonly beside?: Beside;
  readonly words: ResponseFormat;
  /** What to answer where the request itself is at fault. */
  readonly turn?: readonly Step[];
}

/** What came, before anything is made of it. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a scripted agent speaks. */
export interface Binding {
  /** The form of the generation in this binding; undefined where it has none. */
  formOf(version: Version): Version | undefined;
  understand(came: IncomingRequest, form: Version): ParsedRequest;
}

/** Every binding a scripted agent speaks, as cards call them. Adding one is adding a row. */
export const bindings = { JSONRPC: jsonRpc, 'HTTP+JSON': httpJson } as const satisfies Record<string, Binding>;
export type BindingName = keyof typeof bindings;
