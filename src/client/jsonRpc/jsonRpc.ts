import { randomUUID } from 'node:crypto';
import type { Headers } from '../../protocol/exchange.ts';
import { isObject } from '../../protocol/json.ts';
import {
  isStreaming,
  operations,
  type Operation,
  type OperationParams,
  type UnaryOperation,
  type UnaryResults,
} from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { A2AError } from '../../protocol/errors.ts';
import type { Note } from '../../protocol/finding.ts';
import { notInVersion } from '../../protocol/versions/shared/unreadable.ts';
import { readStreamResponses, versionWithMethod } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { readBatches, type Reading } from '../transport/answer.ts';
import { sendToAgent } from '../transport/agentRequest.ts';
import { withNames } from '../transport/clientNames.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { jsonRpcEnvelope, type RpcId } from './jsonRpcEnvelope.ts';
import { cardAnswer, eventsOf, extendedCardOperation, streamAnswer, unaryAnswer } from '../transport/operationAnswer.ts';
import { parseJson } from '../http/parseJson.ts';
import { cardTimeouts, timeoutsFor, untilCanceled, type Timeouts } from '../http/timeouts.ts';
import type { Answer, CallOptions, Endpoint, RawBatch, StreamBatch, Transport } from '../transport/transport.ts';

const protocolBinding = 'JSONRPC';

interface Sending {
  readonly operation: string;
  readonly version: Version;
  readonly body: string;
  readonly accept: string;
  readonly timeouts: Timeouts;
}

function send(endpoint: Endpoint, { operation, version, body, accept, timeouts }: Sending, options: CallOptions): Promise<HttpResponse> {
  const headers: Headers = [
    ['Content-Type', 'application/json'],
    ['Accept', accept],
    ...(version.header === undefined ? [] : [['A2A-Version', version.header] as const]),
    ...endpoint.extensions,
  ];
  const { protocolVersion } = version;
  return sendToAgent(
    endpoint,
    { method: 'POST', url: endpoint.url, headers, body, timeouts, operation, protocolBinding, protocolVersion },
    options,
  );
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
  endpoint: Endpoint,
  operation: O,
  params: OperationParams[O],
  options: CallOptions,
): Promise<Answer<UnaryResults[O]>> {
  const { version } = endpoint;
  const id = randomUUID();
  const named = withNames(operation, params, version);
  const response = await send(
    endpoint,
    {
      operation,
      version,
      body: envelope(id, version, operation, named),
      accept: 'application/json',
      timeouts: timeoutsFor(operation, endpoint.http),
    },
    options,
  );
  return unaryAnswer(response, { operation, version, params: named, envelope: jsonRpcEnvelope(id, version.errorNames) });
}

/** The method has another name in drafts: the next one is tried where the agent does not have the one before. */
async function extendedCard<Result>(
  endpoint: Endpoint,
  read: (card: unknown, note: Note, exchangeId: string) => Result,
  { exchangeId, ...options }: CallOptions,
): Promise<Result> {
  const { version } = endpoint;
  const methods = version.extendedCard?.methods ?? [];
  let unknown: unknown = notInVersion(version.protocolVersion, extendedCardOperation);
  for (const method of methods) {
    const id = randomUUID();
    const response = await send(
      endpoint,
      {
        operation: extendedCardOperation,
        version,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, ...(endpoint.tenant !== undefined && { params: { tenant: endpoint.tenant } }) }),
        accept: 'application/json',
        timeouts: cardTimeouts,
      },
      method === methods[0] && exchangeId !== undefined ? { ...options, exchangeId } : options,
    );
    try {
      return await cardAnswer(response, jsonRpcEnvelope(id, version.errorNames), read);
    } catch (error) {
      if (!(error instanceof A2AError) || error.rpcCode !== -32601) throw error;
      unknown = error;
    }
  }
  throw unknown;
}

function stream(
  endpoint: Endpoint,
  operation: Operation,
  params: OperationParams[Operation],
  options: CallOptions,
): AsyncGenerator<StreamBatch> {
  const { version } = endpoint;
  const id = randomUUID();
  const named = withNames(operation, params, version);
  const sending = async (): Promise<HttpResponse> =>
    send(
      endpoint,
      {
        operation,
        version,
        body: envelope(id, version, operation, named),
        accept: 'text/event-stream, application/json',
        timeouts: timeoutsFor(operation, endpoint.http),
      },
      options,
    );
  return streamAnswer(sending, { operation, version, params: named, envelope: jsonRpcEnvelope(id, version.errorNames) });
}

function sendRaw(endpoint: Endpoint, body: string, options: CallOptions): AsyncGenerator<RawBatch> {
  const { id, method } = rawRequest(body);
  const version = versionWithMethod(method, endpoint.version) ?? endpoint.version;
  const operation = operations.find(candidate => version.methods[candidate] === method);
  const sending = (): Promise<HttpResponse> =>
    send(
      endpoint,
      {
        operation: operation ?? method,
        version,
        body,
        accept: 'application/json, text/event-stream',
        timeouts: untilCanceled,
      },
      options,
    );
  return readBatches(sending, note => {
    // For a method that is not an A2A operation, the result is not read as an event.
    const event: Reading['event'] = operation === undefined ? () => [] : result => readStreamResponses(result, version, note);
    const envelope = jsonRpcEnvelope(id, version.errorNames);
    return {
      // What another method answers is shown as it came.
      envelope: operation === undefined ? { ...envelope, lacksResult: () => false } : envelope,
      event,
      body: operation === undefined || isStreaming(operation) ? event : result => eventsOf(operation, result, version, note),
      subscribes: operation === 'SubscribeToTask',
      version: version.protocolVersion,
    };
  });
}

/** Id and method of a raw body. A body that is not JSON-RPC is sent as well: that may be intended. */
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
  supports: ({ methods }) => methods.SendMessage !== undefined,
  call,
  stream,
  extendedCard,
  sendRaw,
};
