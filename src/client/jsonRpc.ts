import { randomUUID } from 'node:crypto';
import type { Note } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import {
  isSend, isStreaming, operations, type Operation, type OperationParams, type UnaryOperation, type UnaryResults,
} from '../protocol/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/streamResponse.ts';
import { readResult, readStreamResponse, versionWithMethod } from '../protocol/versions/index.ts';
import type { Version } from '../protocol/versions/version.ts';
import { inContext, namedContext, withNames } from './clientNames.ts';
import { withConfigured } from './configuredHeaders.ts';
import type { HttpResponse } from './httpResponse.ts';
import { parseJson, readBatches, readUnary, type Reading } from './jsonRpcAnswer.ts';
import type { RpcId } from './jsonRpcEnvelope.ts';
import { post } from './post.ts';
import type { Answer, CallOptions, Peer, RawBatch, StreamBatch, Transport } from './transport.ts';

const protocolBinding = 'JSONRPC';

/** Longest wait for the head of an answer that is not the agent's work itself. */
const headersTimeoutMs = 30_000;
const unaryBodyTimeoutMs = 60_000;

interface Sending {
  readonly operation: string;
  readonly version: Version;
  readonly body: string;
  readonly accept: string;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
}

function send(peer: Peer, sending: Sending, options: CallOptions): Promise<HttpResponse> {
  const { version } = sending;
  return post(peer.http, {
    method: 'POST',
    url: peer.url,
    headers: withConfigured([
      ['Content-Type', 'application/json'],
      ['Accept', sending.accept],
      ...(version.header === undefined ? [] : [['A2A-Version', version.header] as const]),
      ...peer.extensions,
    ], peer.headers),
    secret: peer.headers.secret,
    body: sending.body,
    headersTimeoutMs: sending.headersTimeoutMs,
    bodyTimeoutMs: sending.bodyTimeoutMs,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    log: options.log,
    subject: {
      exchangeId: options.exchangeId, operation: sending.operation, protocolBinding, protocolVersion: version.protocolVersion,
    },
  });
}

function envelope<O extends Operation>(id: RpcId, version: Version, operation: O, params: OperationParams[O]): string {
  const written = version.writeParams(operation, params);
  const method = version.methods[operation];
  if (method === undefined) {
    throw new Problem('operation-not-in-version', sentence('A2A {0} has no {1}.', version.protocolVersion, operation));
  }
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: written });
}

async function call<O extends UnaryOperation>(
  peer: Peer, operation: O, params: OperationParams[O], options: CallOptions,
): Promise<Answer<UnaryResults[O]>> {
  const { version } = peer;
  const { errorNames } = version;
  const id = randomUUID();
  const named = withNames(operation, params, version);
  // A send waits for the agent's work to end, so only the caller can say when that has taken too long.
  const patient = isSend(operation);
  const response = await send(peer, {
    operation, version, body: envelope(id, version, operation, named), accept: 'application/json',
    headersTimeoutMs: patient ? 0 : headersTimeoutMs, bodyTimeoutMs: patient ? 0 : unaryBodyTimeoutMs,
  }, options);
  const { record } = response;
  try {
    const read = await readUnary(response, { id, errorNames }, value => readResult(operation, value, version, record.note));
    const result = isSend(operation) ? inContext(read as UnaryResults['SendMessage'], namedContext(named, version)) as UnaryResults[O] : read;
    record.end();
    return { result, exchangeId: record.id, findings: record.findings };
  } catch (error) {
    record.end(error);
    throw error;
  }
}

async function* stream(
  peer: Peer, operation: Operation, params: OperationParams[Operation], options: CallOptions,
): AsyncGenerator<StreamBatch> {
  const { version } = peer;
  const { errorNames } = version;
  const id = randomUUID();
  const named = withNames(operation, params, version);
  const response = await send(peer, {
    operation, version, body: envelope(id, version, operation, named), accept: 'text/event-stream, application/json',
    // Some agents send no head, or plain JSON, until their work is done; the person can stop the wait.
    headersTimeoutMs: isSend(operation) ? 0 : headersTimeoutMs, bodyTimeoutMs: 0,
  }, options);
  const { note } = response.record;
  const contextId = namedContext(named, version);
  const event: Reading['event'] = result => [inContext(readStreamResponse(result, version, note), contextId)];
  yield* readBatches(response, {
    id,
    errorNames,
    event,
    body: result => {
      note('RPC-02', '', 'The agent answered a streaming request without a stream.');
      return event(result);
    },
  });
}

async function* sendRaw(peer: Peer, body: string, options: CallOptions): AsyncGenerator<RawBatch> {
  const { id, method } = rawRequest(body);
  const version = versionWithMethod(method, peer.version) ?? peer.version;
  const operation = operations.find(candidate => version.methods[candidate] === method);
  const response = await send(peer, {
    operation: operation ?? method, version, body, accept: 'application/json, text/event-stream', headersTimeoutMs: 0, bodyTimeoutMs: 0,
  }, options);
  const { note } = response.record;
  // Of a method that is no operation, only the wire form is known.
  const event: Reading['event'] = operation === undefined ? () => [] : result => [readStreamResponse(result, version, note)];
  yield* readBatches(response, {
    id,
    errorNames: version.errorNames,
    event,
    body: operation === undefined || isStreaming(operation) ? event : result => eventsOf(operation, result, version, note),
  });
}

/** The result of a unary operation as events. */
function eventsOf(operation: UnaryOperation, result: unknown, version: Version, note: Note): readonly StreamResponse[] {
  const read = readResult(operation, result, version, note);
  if ('tasks' in read) return read.tasks.map(task => ({ task }));
  return ['task' in read || 'message' in read ? read : { task: read }];
}

/** What a raw body says of itself; a body that is no JSON-RPC is sent all the same, that may be what is being tried. */
function rawRequest(body: string): { readonly id: RpcId | undefined; readonly method: string } {
  const parsed = parseJson(body);
  const { id, method } = isObject(parsed) ? parsed : {};
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    method: typeof method === 'string' ? method : 'raw',
  };
}

/** JSON-RPC 2.0 over HTTP POST, streams as server-sent events (A2A 1.0 §9, 0.3 §3.2.1). */
export const jsonRpc: Transport = {
  protocolBinding,
  aliases: ['jsonrpc20', 'jsonrpc2'],
  speaks: ({ methods }) => methods.SendMessage !== undefined,
  call,
  stream,
  sendRaw,
};
