import type { Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import type { Operation, OperationParams, UnaryOperation, UnaryResults } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { readStreamResponses } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { notInVersion } from '../../protocol/versions/shared/unreadable.ts';
import { readBatches, type Reading } from '../transport/answer.ts';
import { httpJsonEnvelope } from './envelope.ts';
import { httpJsonRequest } from './request.ts';
import { protocolBinding, sendToRoute } from './sending.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { cardAnswer, eventsOf, extendedCardOperation, streamAnswer, unaryAnswer } from '../transport/operationAnswer.ts';
import { parseJson } from '../http/parseJson.ts';
import { cardTimeouts, timeoutsFor, untilCanceled } from '../http/timeouts.ts';
import type { Answer, CallOptions, Endpoint, RawBatch, StreamBatch, Transport } from '../transport/transport.ts';

/** 0.2 and 0.3 use their protobuf form over HTTP+JSON. */
const formOf = (version: Version): Version => version.protoForm ?? version;

/** 1.0 servers read `/v1/tasks` as the tasks of a tenant `v1`, and answer with an empty page, which is not this agent's list of tasks. */
const isPageOfTenant = (answer: unknown): boolean =>
  isObject(answer) && Array.isArray(answer['tasks']) && answer['tasks'].length === 0 && 'nextPageToken' in answer;

async function call<O extends UnaryOperation>(
  endpoint: Endpoint,
  operation: O,
  params: OperationParams[O],
  options: CallOptions,
): Promise<Answer<UnaryResults[O]>> {
  const version = formOf(endpoint.version);
  const response = await sendToRoute(
    endpoint,
    {
      operation,
      version,
      ...httpJsonRequest(operation, params, version),
      streams: false,
      timeouts: timeoutsFor(operation, endpoint.http),
    },
    options,
  );
  const envelope = { ...httpJsonEnvelope(version.errorNames), mayBeEmpty: operation === 'DeleteTaskPushNotificationConfig' };
  if (version.unspecifiedOperations?.includes(operation) !== true) return unaryAnswer(response, { operation, version, params, envelope });
  return unaryAnswer(response, {
    operation,
    version,
    params,
    envelope: {
      ...envelope,
      open: (answer, status, note) => {
        if (isPageOfTenant(answer)) throw notInVersion(version.protocolVersion, operation);
        return envelope.open(answer, status, note);
      },
    },
  });
}

async function extendedCard<Result>(
  endpoint: Endpoint,
  read: (card: unknown, note: Note, exchangeId: string) => Result,
  options: CallOptions,
): Promise<Result> {
  const version = formOf(endpoint.version);
  const path = version.extendedCard?.path;
  if (path === undefined) throw notInVersion(version.protocolVersion, extendedCardOperation);
  const response = await sendToRoute(
    endpoint,
    {
      operation: extendedCardOperation,
      version,
      method: 'GET',
      path: endpoint.tenant === undefined ? path : `/${encodeURIComponent(endpoint.tenant)}${path}`,
      query: '',
      body: undefined,
      streams: false,
      timeouts: cardTimeouts,
    },
    options,
  );
  return cardAnswer(response, httpJsonEnvelope(version.errorNames), read);
}

function stream(
  endpoint: Endpoint,
  operation: Operation,
  params: OperationParams[Operation],
  options: CallOptions,
): AsyncGenerator<StreamBatch> {
  const version = formOf(endpoint.version);
  const sending = async (): Promise<HttpResponse> =>
    sendToRoute(
      endpoint,
      {
        operation,
        version,
        ...httpJsonRequest(operation, params, version),
        streams: true,
        timeouts: timeoutsFor(operation, endpoint.http),
      },
      options,
    );
  return streamAnswer(sending, { operation, version, params, envelope: httpJsonEnvelope(version.errorNames) });
}

/**
 * Sends a raw body as a message: no other HTTP+JSON operation has a body. Uses streaming where the agent supports it.
 * @throws Problem `no-raw-body` for a JSON-RPC body, whose method would be lost
 */
function sendRaw(endpoint: Endpoint, body: string, options: CallOptions): AsyncGenerator<RawBatch> {
  const version = formOf(endpoint.version);
  const operation = endpoint.streams ? 'SendStreamingMessage' : 'SendMessage';
  const sending = async (): Promise<HttpResponse> => {
    const parsed = parseJson(body);
    if (isObject(parsed) && 'method' in parsed) {
      throw new Problem('no-raw-body', sentence('A JSON-RPC body cannot be sent over {0}.', protocolBinding), {
        nextStep: sentence('Use an interface of the agent card that supports JSONRPC.'),
      });
    }
    const { method, path } = version.routes![operation]!;
    return sendToRoute(
      endpoint,
      {
        operation,
        version,
        method,
        path,
        query: '',
        body,
        streams: endpoint.streams,
        timeouts: untilCanceled,
      },
      options,
    );
  };
  return readBatches(sending, note => {
    const event: Reading['event'] = result => readStreamResponses(result, version, note);
    return {
      envelope: httpJsonEnvelope(version.errorNames),
      event,
      body: endpoint.streams ? event : result => eventsOf('SendMessage', result, version, note),
    };
  });
}

/** HTTP+JSON, with streams as server-sent events (A2A 1.0 §11, 0.3 §3.2.3). */
export const httpJson: Transport = {
  protocolBinding,
  aliases: ['rest', 'http', 'httprest', 'jsonhttp'],
  supports: ({ routes }) => routes !== undefined,
  call,
  stream,
  extendedCard,
  sendRaw,
};
