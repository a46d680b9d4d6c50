import { setImmediate } from 'node:timers/promises';
import { fromJson, type DescMessage, type DescMethodStreaming, type FileRegistry, type JsonValue, type Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { Headers as HeaderList } from '../../../protocol/exchange.ts';
import { a2aV1 } from './a2aV1.ts';
import { Connection, once, type ConnectionObserver, type ConnectionOptions } from './connection.ts';
import { GrpcFailure } from './failure.ts';
import { lfA2aV1 } from './lfA2aV1.ts';
import { messagesIn } from './messagesIn.ts';
import { protoJson } from './protoJson.ts';
import type { GrpcOperation } from './protoPackage.ts';
import { schemaOf } from './schema.ts';
import { unknownFields, type UnknownField } from './unknownFields.ts';
import { holdsMany } from './wireValues.ts';

// Loaded when the first call is made: with the packages it imports it is a bundle of its own, which shares nothing with the rest. What is
// imported from outside this folder must be types alone.

const packages = { 'lf.a2a.v1': lfA2aV1, 'a2a.v1': a2aV1 } as const;
/** From so many bytes on a message may take a while. */
const long = 256 * 1024;

export type PackageName = keyof typeof packages;

export interface GrpcRequest extends ConnectionOptions {
  readonly packageName: PackageName;
  readonly operation: GrpcOperation;
  /** ProtoJSON of the request message. */
  readonly message: unknown;
  /** Metadata. */
  readonly headers: HeaderList;
  /** Longest time for the whole call, in milliseconds; the agent is told (`grpc-timeout`). */
  readonly timeoutMs: number | undefined;
  /** Closes the call and its connection. */
  readonly signal: AbortSignal;
  /** Takes over a connection whose call came to its end; without it, that is closed. */
  readonly leave?: (close: () => void) => void;
}

export interface GrpcMessage {
  readonly json: unknown;
  /** As it was on the wire. */
  readonly bytes: Uint8Array;
  readonly unknown: readonly UnknownField[];
}

/**
 * One call over a connection of its own (A2A 1.0 §10), closed or left to others when the loop is left: a connection that calls share takes all of them down
 * when it breaks, and one that is kept may be closing just when the next call needs it. Nothing is sent twice.
 * @throws GrpcFailure, after the messages before it.
 */
export async function* call(request: GrpcRequest, observer: ConnectionObserver): AsyncGenerator<GrpcMessage> {
  const method = methodOf(request.packageName, request.operation);
  const message = encodable(method.input, request.message);
  const connection = new Connection(request, observer, bytes => holdsMany(bytes, method.output));
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  let leave: GrpcRequest['leave'];
  try {
    const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
    const answer = await connection.transport.stream(method, signal, request.timeoutMs, headers, once(message));
    for await (const item of answer.message) {
      const bytes = connection.waiting.shift()!;
      // Connect has just decoded it. The first comes right behind that, before timers and what else came.
      if (bytes.byteLength >= long) {
        await setImmediate();
        await setImmediate();
      }
      yield readable(method.output, item, bytes);
    }
    connection.tellTrailers();
    leave = request.leave;
  } catch (error) {
    connection.tellTrailers();
    throw error instanceof GrpcFailure ? error : connection.explain(error);
  } finally {
    stop.abort();
    if (leave === undefined) connection.close();
    else leave(() => connection.close());
  }
}

const schemas = new Map<PackageName, FileRegistry>();

/** On the wire a plain call is a stream of one message; read as one, whatever follows that message is seen too. */
function methodOf(packageName: PackageName, operation: GrpcOperation): DescMethodStreaming {
  const source = packages[packageName];
  const schema = schemas.get(packageName) ?? schemaOf(source);
  schemas.set(packageName, schema);
  const methods: typeof lfA2aV1.methods = source.methods;
  const name = methods[operation]?.[0];
  const method = schema.getService(`${packageName}.${source.service}`)?.methods.find(each => each.name === name);
  if (method === undefined) throw new Error(`no ${operation} in ${packageName}`);
  return method as DescMethodStreaming;
}

function encodable(schema: DescMessage, json: unknown): Message {
  try {
    return fromJson(schema, json as JsonValue);
  } catch (error) {
    throw new GrpcFailure(error instanceof Error ? error.message : String(error), { kind: 'request' }, 'connecting', error);
  }
}

/** ProtoJSON has no words for some of what bytes can hold: a number that is none, a time beyond the year 9999. */
function readable(schema: DescMessage, message: Message, bytes: Uint8Array): GrpcMessage {
  try {
    const messages = [...messagesIn(reflect(schema, message))];
    return { bytes, unknown: unknownFields(messages), json: protoJson(schema, message, messages) };
  } catch (error) {
    throw new GrpcFailure(error instanceof Error ? error.message : String(error), { kind: 'unreadable', bytes }, 'answering', error);
  }
}
