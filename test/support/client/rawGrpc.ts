import { createServer, type ServerHttp2Stream } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A message of a gRPC body: flag, length, bytes. */
export function envelope(message: Uint8Array, declared = message.byteLength): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(declared, 1);
  return Buffer.concat([prefix, message]);
}

export type ProtoField = readonly [number: number, value: string | Uint8Array | number];

/** Fields of protocol buffers: text and bytes as length-delimited, numbers as varints. */
export function proto(...fields: readonly ProtoField[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number << 3), varint(value)];
      const bytes = Buffer.from(value);
      return [varint((number << 3) | 2), varint(bytes.byteLength), bytes];
    }),
  );
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 0x7f) | 0x80]), varint(value >>> 7)]);
}

/** A server's response, byte by byte. */
export interface RawAnswer {
  readonly head?: Readonly<Record<string, string | number>>;
  readonly body?: readonly Uint8Array[];
  readonly trailers?: Readonly<Record<string, string>>;
  /** Instead of an end. */
  readonly cut?: 'stream' | 'session' | 'refuse' | 'hang';
}

export interface RawServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Resolves with the first request. */
  readonly asked: Promise<unknown>;
  /** Resolves when the first connection is closed. */
  readonly closed: Promise<unknown>;
  stop(): Promise<void>;
}

/** An HTTP/2 server on loopback that answers every request alike. */
export async function serveRaw(answer: RawAnswer): Promise<RawServer> {
  const server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  const { promise: closed, resolve } = Promise.withResolvers();
  const asked = once(server, 'stream');
  server.on('session', session => {
    sessions.add(session.on('error', () => {}).once('close', resolve));
  });
  server.on('stream', stream =>
    say(
      stream.on('error', () => {}),
      answer,
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    closed,
    stop: async () => {
      const ended = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      await ended;
    },
  };
}

function say(stream: ServerHttp2Stream, { head, body = [], trailers, cut }: RawAnswer): void {
  if (cut === 'refuse') return stream.close(7);
  if (head === undefined && body.length === 0 && cut !== undefined) return end(stream, cut);
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...head }, { waitForTrailers: trailers !== undefined });
  stream.on('wantTrailers', () => stream.sendTrailers({ ...trailers }));
  for (const chunk of body) stream.write(chunk);
  if (cut === undefined) stream.end();
  // What was written has to be on its way first.
  else setTimeout(() => end(stream, cut), 20);
}

function end(stream: ServerHttp2Stream, cut: NonNullable<RawAnswer['cut']>): void {
  if (cut === 'session') stream.session?.destroy();
  else if (cut === 'stream') stream.close(2);
}
