import { setImmediate } from 'node:timers/promises';
import { fromJson, type DescMessage, type JsonValue, type Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { Headers as HeaderList } from '../../../protocol/exchange.ts';
import { Connection, once, type ConnectionObserver, type ConnectionOptions } from './connection.ts';
import { GrpcFailure } from './failure.ts';
import { type MessageAt, messagesIn } from './messagesIn.ts';
import { protoJson } from './protoJson.ts';
import type { GrpcOperation } from './protoPackage.ts';
import { methodOf, type PackageName } from './service.ts';
import { hasTooManyFields } from './wireValues.ts';

// Loaded with the first call, with its packages: from outside the folder, import only types and `failure.ts`.

/** Messages of at least this many bytes may take long to process. */
const long = 256 * 1024;

export interface GrpcRequest extends ConnectionOptions {
  readonly packageName: PackageName;
  readonly operation: GrpcOperation;
  /** ProtoJSON of the request message. */
  readonly message: unknown;
  /** Metadata. */
  readonly headers: HeaderList;
  /** Longest time for the whole call, in milliseconds; sent to the agent as `grpc-timeout`. */
  readonly timeoutMs: number | undefined;
  /** Aborts the call and closes its connection. */
  readonly signal: AbortSignal;
  /** Takes over the connection of a call that ended normally; without it, the connection is closed. */
  readonly takeOverConnection?: (close: () => void) => void;
}

export interface GrpcMessage {
  readonly json: unknown;
  /** The message as received. */
  readonly bytes: Uint8Array;
  readonly unknown: readonly UnknownField[];
}

/**
 * One call over a connection of its own (A2A 1.0 §10). When the loop is left, the connection is closed or passed to `leave`. Calls do not
 * share connections, since a broken one would end all of them, and a kept one may be closing just when the next call needs it. Nothing is
 * sent twice.
 * @throws GrpcFailure, after the messages before it
 */
export async function* call(request: GrpcRequest, observer: ConnectionObserver): AsyncGenerator<GrpcMessage> {
  const method = methodOf(request.packageName, request.operation);
  const message = encodable(method.input, request.message);
  const connection = new Connection(request, observer, bytes => hasTooManyFields(bytes, method.output));
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  let leave: GrpcRequest['takeOverConnection'];
  try {
    const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
    const answer = await connection.transport.stream(method, signal, request.timeoutMs, headers, once(message));
    for await (const item of answer.message) {
      const bytes = connection.waiting.shift()!;
      // Connect has just decoded it. One `setImmediate` runs before timers and other I/O, so a second one is needed.
      if (bytes.byteLength >= long) {
        await setImmediate();
        await setImmediate();
      }
      yield readable(method.output, item, bytes);
    }
    connection.reportTrailers();
    leave = request.takeOverConnection;
  } catch (error) {
    connection.reportTrailers();
    throw error instanceof GrpcFailure ? error : connection.explain(error);
  } finally {
    stop.abort();
    if (leave === undefined) connection.close();
    else leave(() => connection.close());
  }
}

function encodable(schema: DescMessage, json: unknown): Message {
  try {
    return fromJson(schema, json as JsonValue);
  } catch (error) {
    throw new GrpcFailure(error instanceof Error ? error.message : String(error), { kind: 'request' }, 'connecting', error);
  }
}

/** Some binary values have no ProtoJSON: a NaN, a time beyond the year 9999. */
function readable(schema: DescMessage, message: Message, bytes: Uint8Array): GrpcMessage {
  try {
    const messages = [...messagesIn(reflect(schema, message))];
    return { bytes, unknown: unknownFields(messages), json: protoJson(schema, message, messages) };
  } catch (error) {
    throw new GrpcFailure(error instanceof Error ? error.message : String(error), { kind: 'unreadable', bytes }, 'answering', error);
  }
}

/** A field that is not in the package. Its value is only in the bytes. */
interface UnknownField {
  /** RFC 6901 pointer to the object with the field, in the message's ProtoJSON. */
  readonly pointer: string;
  readonly typeName: string;
  readonly number: number;
  readonly byteLength: number;
}

/** Most unknown fields that are reported per message. */
const limit = 100;

/** The fields of messages that are not in their schema, in wire order. */
function unknownFields(messages: Iterable<MessageAt>): readonly UnknownField[] {
  const found: UnknownField[] = [];
  for (const { message, path } of messages) {
    for (const { no, data } of message.getUnknown() ?? []) {
      if (found.length >= limit) return found;
      // Names in the packages contain no characters that need escaping in a pointer.
      found.push({
        pointer: path.map(step => `/${step}`).join(''),
        typeName: message.desc.typeName,
        number: no,
        byteLength: data.byteLength,
      });
    }
  }
  return found;
}
