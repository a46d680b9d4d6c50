import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, OperationParams } from '../protocol/message/operations.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import { grpc } from './grpc.ts';
import { httpJson } from './httpJson.ts';
import { jsonRpc } from './jsonRpc.ts';
import type { Step } from './script.ts';

/** An error in a script: code, message and data of JSON-RPC. */
export type ScriptedError = Extract<Step, { error: unknown }>['error'];

/** How the response to one request is serialized. */
export interface ResponseFormat {
  readonly mediaType: string;
  /** Wraps a result or an event, already in the version's wire form, in the binding's envelope. */
  result(written: unknown): unknown;
  error(error: ScriptedError): { readonly status: number; readonly body: unknown };
  /** Media type of a response that is an error; `mediaType` where undefined. */
  readonly errorMediaType?: string;
  /** The SSE event name of an error, where the binding has one. */
  readonly errorEvent?: string;
}

/** Requests other than operations: the extended card (A2A 1.0 §3.1.11). */
export type OtherMethod = 'extendedCard';

/** A request as parsed by the binding. */
export interface ParsedRequest {
  /** Undefined where the request does not name an operation. */
  readonly operation?: Operation;
  /** In core shape. */
  readonly params?: OperationParams[Operation];
  readonly otherMethod?: OtherMethod;
  readonly format: ResponseFormat;
  /** The answer where the request itself is invalid. */
  readonly turn?: readonly Step[];
}

/** A request before it is parsed. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a scripted agent serializes one protocol binding. */
export interface Binding {
  /** The version's form for this binding; undefined where the version does not have this binding. */
  versionFor(version: Version): Version | undefined;
  parse(came: IncomingRequest, form: Version): ParsedRequest;
}

/** All bindings of scripted agents, by their names in cards. To add a binding, add a row. */
export const bindings = { JSONRPC: jsonRpc, 'HTTP+JSON': httpJson, GRPC: grpc } as const satisfies Record<string, Binding>;
export type BindingName = keyof typeof bindings;
