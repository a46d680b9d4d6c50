import { promisify } from 'node:util';
import { fromBinary, fromJson, toBinary, toJson, type JsonValue } from '@bufbuild/protobuf';
import { Metadata, Server, ServerCredentials, type ServerWritableStream, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { a2aV1 } from '../../../../src/client/grpc/bundle/a2aV1.ts';
import { lfA2aV1 } from '../../../../src/client/grpc/bundle/lfA2aV1.ts';
import { schemaOf } from '../../../../src/client/grpc/bundle/schema.ts';
import type { Script, Step } from '../../../../src/mock/script.ts';
import { errorNames, reasonOf } from '../../../../src/protocol/errors.ts';
import { ignoreFindings } from '../../../../src/protocol/finding.ts';
import { isStreaming, operations, type Operation } from '../../../../src/protocol/message/operations.ts';
import { versionOf } from '../../../../src/protocol/versions/index.ts';
import { proto } from '../../client/rawGrpc.ts';

/** A2A 1.0 §5.4. */
const statuses: Readonly<Record<number, number>> = {
  [-32001]: 5,
  [-32002]: 9,
  [-32003]: 9,
  [-32004]: 9,
  [-32005]: 3,
  [-32007]: 9,
  [-32008]: 9,
  [-32009]: 9,
  [-32601]: 12,
  [-32602]: 3,
};

type Refusal = Extract<Step, { error: unknown }>['error'];

/** How an agent differs over gRPC from one that keeps the rules. */
export interface GrpcFaults {
  /** Leaves `A2A-Version` unread. */
  readonly ignoresVersion?: true;
  /** Its errors have no details. */
  readonly bareErrors?: true;
  /** Asks nobody who they are. */
  readonly opensDoor?: true;
  /** What everybody is told who asks for the extended card: a card, or an error. */
  readonly extendedCard?: object;
  /** Says nothing but UNIMPLEMENTED. */
  readonly lacksService?: true;
}

export interface GrpcAgentOptions extends Omit<GrpcFaults, 'extendedCard'> {
  readonly version: '1.0' | '0.3';
  readonly script: Script;
  /** The answer to who asks for the extended card: the card, or an error. */
  readonly extendedCard: (authorization: string | undefined) => object | Refusal;
  readonly authorized: (authorization: string | undefined) => boolean;
}

/** Plays a script over gRPC, in a protocol version that has that binding. */
export async function grpcAgent(options: GrpcAgentOptions): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const { version, script, authorized, extendedCard } = options;
  const tables = version === '1.0' ? lfA2aV1 : a2aV1;
  const registry = schemaOf(tables);
  const own = versionOf(version)!;
  const form = own.protoForm ?? own;
  const server = new Server();
  const status = ({ code, message }: Refusal): { code: number; details: string; metadata: Metadata } => {
    const metadata = new Metadata();
    const number = statuses[code] ?? 13;
    const name = errorNames[code];
    if (options.bareErrors === undefined && version === '1.0' && name !== undefined && code > -32_100) {
      const info = proto([1, reasonOf(name)], [2, 'a2a-protocol.org']);
      const any = proto([1, 'type.googleapis.com/google.rpc.ErrorInfo'], [2, info]);
      metadata.set('grpc-status-details-bin', proto([1, number], [2, message], [3, any]));
    }
    return { code: number, details: message, metadata };
  };
  const header = (metadata: Metadata, name: string): string | undefined => metadata.get(name)[0]?.toString();
  /** What refuses a call before it is looked at. */
  const atDoor = (metadata: Metadata): ReturnType<typeof status> | undefined => {
    if (options.lacksService === true) return { code: 12, details: 'unimplemented', metadata: new Metadata() };
    if (options.opensDoor === undefined && !authorized(header(metadata, 'authorization')))
      return { code: 16, details: 'who are you?', metadata: new Metadata() };
    const asked = header(metadata, 'a2a-version') ?? '0.3';
    const isOwn = asked === version || asked.startsWith(`${version}.`);
    return version === '1.0' && options.ignoresVersion === undefined && !isOwn
      ? status({ code: -32009, message: 'This version is not supported' })
      : undefined;
  };

  const definition: Record<string, object> = {};
  const handlers: Record<string, unknown> = {};
  for (const operation of [...operations, 'AgentCard'] as const) {
    const row = tables.methods[operation];
    if (row === undefined) continue;
    const [name, input, output] = row;
    const [request, response] = [input, output].map(type =>
      registry.getMessage(type === 'Empty' ? 'google.protobuf.Empty' : `${tables.name}.${type}`),
    );
    const written = (value: unknown): Uint8Array =>
      response === undefined
        ? new Uint8Array()
        : toBinary(response, fromJson(response, JSON.parse(JSON.stringify(value)) as JsonValue, { ignoreUnknownFields: true }));
    definition[name] = {
      path: `/${tables.name}.${tables.service}/${name}`,
      requestStream: false,
      responseStream: operation !== 'AgentCard' && isStreaming(operation),
      requestSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
      requestDeserialize: (bytes: Uint8Array) => bytes,
      responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
      responseDeserialize: (bytes: Uint8Array) => bytes,
    };
    const steps = (metadata: Metadata, bytes: Uint8Array, signal: AbortSignal): Iterable<Step> | AsyncIterable<Step> => {
      const json = toJson(request!, fromBinary(request!, bytes), { registry }) as { message?: { parts?: unknown; content?: unknown } };
      // ProtoJSON leaves out empty lists.
      if (json.message !== undefined) json.message[version === '1.0' ? 'parts' : 'content'] ??= [];
      const params = form.readParams(operation as Operation, json, ignoreFindings);
      const turn = script[operation as Operation] as unknown as ((request: object) => Iterable<Step>) | readonly Step[] | undefined;
      const headers = Object.fromEntries(Object.entries(metadata.getMap()).map(([key, value]) => [key, String(value)]));
      return turn === undefined
        ? [{ error: { code: -32601, message: 'not here' } }]
        : typeof turn !== 'function'
          ? turn
          : turn({ method: 'POST', url: '', headers, body: '', operation, params, signal });
    };
    handlers[name] =
      operation === 'AgentCard'
        ? (call: ServerUnaryCall<Uint8Array, Uint8Array>, done: sendUnaryData<Uint8Array>) => {
            const refused = options.lacksService === true ? atDoor(call.metadata) : undefined;
            if (refused !== undefined) return done(refused);
            const card = extendedCard(header(call.metadata, 'authorization'));
            if ('code' in card && typeof card.code === 'number')
              return done(card.code === 16 ? { code: 16, details: 'who are you?' } : status(card as Refusal));
            done(null, written(card));
          }
        : isStreaming(operation)
          ? async (call: ServerWritableStream<Uint8Array, Uint8Array>) => {
              const left = new AbortController();
              call.on('cancelled', () => left.abort());
              const refused = atDoor(call.metadata);
              if (refused !== undefined) return void call.emit('error', refused);
              for await (const step of steps(call.metadata, call.request, left.signal)) {
                if (left.signal.aborted) return;
                if ('error' in step) return void call.emit('error', status(step.error));
                if ('event' in step) call.write(written(form.writeStreamResponse(step.event)));
                else if ('delay' in step) await new Promise(resolve => setTimeout(resolve, step.delay));
                else if ('stall' in step)
                  await new Promise<void>(resolve => left.signal.addEventListener('abort', () => resolve(), { once: true }));
              }
              call.end();
            }
          : async (call: ServerUnaryCall<Uint8Array, Uint8Array>, done: sendUnaryData<Uint8Array>) => {
              const refused = atDoor(call.metadata);
              if (refused !== undefined) return done(refused);
              try {
                for await (const step of steps(call.metadata, call.request, new AbortController().signal)) {
                  if ('error' in step) return done(status(step.error));
                  if ('status' in step) {
                    const metadata = new Metadata();
                    for (const [key, value] of Object.entries(step.headers ?? {})) metadata.set(key, value);
                    call.sendMetadata(metadata);
                  }
                  if ('answer' in step) return done(null, written(form.writeResult(operation as 'GetTask', step.answer as never)));
                  if ('json' in step) return done(null, written(step.json));
                }
                done(status({ code: -32603, message: 'nothing to say' }));
              } catch (error) {
                done(status({ code: -32602, message: String(error) }));
              }
            };
  }
  server.addService(definition as never, handlers as never);
  const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createInsecure());
  return { address: `127.0.0.1:${port}`, stop: async () => server.forceShutdown() };
}
