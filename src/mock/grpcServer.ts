import { once } from 'node:events';
import type { IncomingHttpHeaders, Server as WebServer } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { packages } from '../client/grpc/packages.ts';
import type { ServedMethod } from '../client/grpc/bundle/served.ts';
import { isStreaming } from '../protocol/message/operations.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import { foreignReason } from '../receiver/requestGuard.ts';
import type { IncomingRequest, ParsedRequest, ScriptedError } from './binding.ts';
import { maxBodyBytes } from './body.ts';
import { callStatus, parsedCall } from './grpc.ts';
import type { Step } from './script.ts';

type StatusBytes = typeof import('../client/grpc/bundle/errorDetails.ts').statusBytes;

interface GrpcOptions {
  readonly version: Version;
  readonly form: Version;
  readonly isOwnHost: ((host: string) => boolean) | undefined;
  /** The answer to a call. */
  readonly steps: (
    came: IncomingRequest,
    parsed: ParsedRequest,
    signal: AbortSignal,
    content: (step: Step) => Uint8Array | undefined,
  ) => Iterable<Step> | AsyncIterable<Step>;
  /** Called with what the script threw; its call is broken. */
  readonly onError: (error: unknown) => void;
}

/** Longest wait for the first bytes of a connection, in milliseconds. */
const silentMs = 10_000;
/** Most calls at once over one connection (RFC 9113 §6.5.2 has no lower one): each may keep a body in memory. */
const maxCalls = 100;
/** The first bytes of a connection of HTTP/2 (RFC 9113 §3.4); no method of HTTP/1.1 begins so. */
const preface = 'PRI';
/** Length of the prefix of a message: a flag and its length. */
const prefixLength = 5;

/** A server of gRPC on the port of a web server: connections of HTTP/2 are calls, others are the web server's. */
export async function grpcServer(web: WebServer, options: GrpcOptions): Promise<Server & { closeAllConnections(): void }> {
  const { servedMethods } = await import('../client/grpc/bundle/served.ts');
  const { statusBytes } = await import('../client/grpc/bundle/errorDetails.ts');
  const methods = servedMethods(packages[options.version.protocolVersion]!);
  const calls = createHttp2Server({ settings: { maxConcurrentStreams: maxCalls } });
  // A connection that breaks ends its calls, which see that by themselves.
  calls.on('sessionError', () => {});
  calls.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {});
    const call = new Call(stream, options, statusBytes);
    void call.answer(headers, methods).catch((error: unknown) => {
      stream.session?.destroy();
      if (!stream.aborted) options.onError(error);
    });
  });
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.setTimeout(silentMs, () => socket.destroy());
    const begin = (): void => {
      const bytes = socket.read(preface.length) as Buffer | null;
      if (bytes === null) return;
      socket.off('readable', begin).setTimeout(0).removeAllListeners('timeout').unshift(bytes);
      (bytes.toString('latin1') === preface ? calls : web).emit('connection', socket);
    };
    socket.on('readable', begin);
  });
  return Object.assign(server, { closeAllConnections: () => sockets.forEach(socket => socket.destroy()) });
}

/** One call and its answer. */
class Call {
  readonly #stream: ServerHttp2Stream;
  readonly #options: GrpcOptions;
  readonly #statusBytes: StatusBytes;
  readonly #left = new AbortController();
  #method: ServedMethod | undefined;
  /** Status and headers set by the script. */
  #head: Extract<Step, { status: unknown }> = { status: 200 };
  #trailers: Readonly<Record<string, string>> = { 'grpc-status': '0' };

  constructor(stream: ServerHttp2Stream, options: GrpcOptions, statusBytes: StatusBytes) {
    this.#stream = stream;
    this.#options = options;
    this.#statusBytes = statusBytes;
    stream.once('close', () => this.#left.abort());
  }

  async answer(headers: IncomingHttpHeaders, methods: ReadonlyMap<string, ServedMethod>): Promise<void> {
    const { form, isOwnHost, steps } = this.#options;
    const path = String(headers[':path']);
    const method = methods.get(path);
    this.#method = method;
    const host = String(headers[':authority'] ?? headers.host);
    if (foreignReason({ headers: { ...headers, host }, socket: this.#stream.session!.socket }, isOwnHost) !== undefined)
      return this.#refuse(403);
    if (headers['content-type']?.startsWith('application/grpc') !== true) return this.#refuse(415);
    const body = await this.#body();
    if (body === undefined) return this.#refuse(413);
    if (method === undefined) return this.#end({ code: -32601, message: 'Method not found' });
    let json: unknown;
    const decode = (): unknown => (json = method.decode(messageIn(body)));
    const came = { method: 'POST', url: path, headers, body: '' };
    const parsed = parsedCall(came, method.operation, form, decode);
    const signal = this.#left.signal;
    try {
      const request = { ...came, body: json === undefined ? '' : JSON.stringify(json) };
      for await (const step of steps(request, parsed, signal, each => this.#content(each))) {
        await this.#step(step);
        if (signal.aborted || this.#stream.writableEnded) return;
      }
      this.#end();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The whole request; undefined where it exceeds the size limit. */
  async #body(): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.#stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > maxBodyBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async #step(step: Step): Promise<void> {
    if ('status' in step) this.#head = step;
    else if ('event' in step) await this.#message(this.#written(step));
    else if ('answer' in step) {
      await this.#message(this.#written(step));
      this.#end();
    } else if ('json' in step) {
      await this.#message(step.json);
      this.#end();
    } else if ('error' in step) this.#end(step.error);
    else if ('raw' in step) await this.#write(step.raw);
    else if ('html' in step) await this.#write(step.html);
    else if ('delay' in step) await sleep(step.delay, undefined, { signal: this.#left.signal });
    else if ('stall' in step) await once(this.#left.signal, 'abort');
    else this.#stream.session?.destroy();
  }

  async #message(json: unknown): Promise<void> {
    let bytes: Uint8Array;
    try {
      bytes = this.#framed(json);
    } catch (error) {
      return this.#end({ code: -32603, message: `This has no form in gRPC: ${error instanceof Error ? error.message : String(error)}` });
    }
    await this.#write(bytes);
  }

  /** The JSON of an event or an answer. */
  #written(step: Extract<Step, { event: unknown } | { answer: unknown }>): unknown {
    const { form } = this.#options;
    const operation = this.#method?.operation;
    if ('event' in step) return form.writeStreamResponse(step.event);
    if (operation !== undefined && operation !== 'AgentCard' && isStreaming(operation))
      return form.writeStreamResponse(step.answer as StreamResponse);
    return form.writeResult(operation === undefined || operation === 'AgentCard' ? 'SendMessage' : operation, step.answer as never);
  }

  #content(step: Step): Uint8Array | undefined {
    return 'event' in step || 'answer' in step ? this.#framed(this.#written(step)) : undefined;
  }

  /** A message with its prefix. */
  #framed(json: unknown): Uint8Array {
    const bytes = this.#method!.encode(JSON.parse(JSON.stringify(json)));
    const prefix = Buffer.alloc(prefixLength);
    prefix.writeUInt32BE(bytes.byteLength, 1);
    return Buffer.concat([prefix, bytes]);
  }

  async #write(bytes: string | Uint8Array): Promise<void> {
    this.#open();
    if (!this.#stream.write(bytes)) await once(this.#stream, 'drain', { signal: this.#left.signal });
  }

  #open(): void {
    if (this.#stream.headersSent) return;
    const { status, headers } = this.#head;
    this.#stream.respond({ ':status': status, 'content-type': 'application/grpc', ...headers }, { waitForTrailers: status === 200 });
    this.#stream.once('wantTrailers', () => this.#stream.sendTrailers(this.#trailers));
  }

  #end(error?: ScriptedError): void {
    if (error !== undefined) {
      const { code, details } = callStatus(error, this.#options.form);
      this.#trailers = {
        'grpc-status': String(code),
        'grpc-message': encodeURIComponent(error.message),
        ...(details.length > 0 && {
          'grpc-status-details-bin': Buffer.from(this.#statusBytes(code, error.message, details)).toString('base64'),
        }),
      };
    }
    // A script may end the call by itself, with the status among its headers.
    const { headers } = this.#head;
    if (headers?.['grpc-status'] !== undefined) this.#trailers = headers;
    // A call without a message has its status in the head.
    if (!this.#stream.headersSent && this.#trailers['grpc-status'] !== '0')
      return this.#stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...this.#trailers }, { endStream: true });
    this.#open();
    this.#stream.end();
  }

  #refuse(status: number): void {
    this.#stream.respond({ ':status': status }, { endStream: true });
  }
}

/** The one message of a request. Throws where it is not one, or is compressed. */
function messageIn(body: Buffer): Buffer {
  if (body.length < prefixLength || body[0] !== 0 || body.readUInt32BE(1) !== body.length - prefixLength)
    throw new Error('not one plain message');
  return body.subarray(prefixLength);
}
