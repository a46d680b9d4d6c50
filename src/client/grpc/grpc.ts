import type { Frame } from '../../protocol/exchange.ts';
import type { Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { requireShallow } from '../../protocol/json/nesting.ts';
import {
  isSend,
  type Operation,
  type OperationParams,
  type StreamingOperation,
  type UnaryOperation,
  type UnaryResults,
} from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { eventBatches } from '../transport/eventBatches.ts';
import { base64, type ExchangeRecord } from '../wireLog/exchangeRecord.ts';
import { grpcAddress } from './address.ts';
import { GrpcExchange, protocolBinding, type GrpcAnswer } from './grpcExchange.ts';
import { packages } from './packages.ts';
import { timeLimits } from '../http/timeLimits.ts';
import { finalUpdates } from '../transport/finalUpdates.ts';
import { streamBeginning } from '../transport/streamBeginning.ts';
import type { Answer, CallOptions, Endpoint, StreamBatch, Transport } from '../transport/transport.ts';

/** Members of pages that ProtoJSON leaves out when empty: a message of protocol buffers cannot lack them (proto3, implicit presence). */
const elided: { readonly [O in Operation]?: object } = {
  ListTasks: { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 },
  ListTaskPushNotificationConfigs: { configs: [], nextPageToken: '' },
};

async function call<O extends UnaryOperation>(
  endpoint: Endpoint,
  operation: O,
  params: OperationParams[O],
  options: CallOptions,
): Promise<Answer<UnaryResults[O]>> {
  // A send waits for the end of the agent's work, so only the caller can limit the time.
  const asked = new GrpcExchange(endpoint, operation, {
    ...options,
    timeoutMs: options.timeoutMs ?? endpoint.http.answerTimeoutMs ?? (isSend(operation) ? undefined : timeLimits.body),
  });
  return unary(asked, asked.messages(operation, params), (json, record) => ({
    result: asked.form.readResult(operation, isObject(json) ? { ...elided[operation], ...json } : json, record.note),
    exchangeId: record.id,
    findings: record.findings,
  }));
}

/** Reads the one message of a unary call. */
async function unary<Result>(
  asked: GrpcExchange,
  messages: AsyncIterable<readonly [GrpcAnswer]>,
  read: (json: unknown, record: ExchangeRecord) => Result,
): Promise<Result> {
  try {
    let answer: GrpcAnswer | undefined;
    for await (const [message] of messages) {
      if (answer === undefined) asked.record?.body(message.text, false, message.bytes);
      else asked.record?.note('GRPC-05', '', sentence('More than one message arrived; the first one counts.'));
      answer ??= message;
    }
    const { record } = asked;
    if (answer === undefined || record === undefined) throw silent();
    requireShallow(answer.json);
    const result = read(answer.json, record);
    record.end();
    return result;
  } catch (error) {
    asked.record?.end(error);
    throw error;
  }
}

/**
 * Gets the agent's card by its gRPC method (A2A 1.0 §3.1.11, 0.3 §7.10), as ProtoJSON. An agent may lack the method or require credentials
 * for it.
 * @param read converts the card to the result; its findings are added to the exchange
 */
export function grpcCard<Result>(
  endpoint: Endpoint,
  read: (card: unknown, note: Note, exchangeId: string) => Result,
  options: CallOptions,
): Promise<Result> {
  const asked = new GrpcExchange(endpoint, 'AgentCard', options);
  return unary(asked, asked.sent(endpoint.tenant === undefined ? {} : { tenant: endpoint.tenant }), (json, { note, id }) =>
    read(json, note, id),
  );
}

function stream<O extends StreamingOperation>(
  endpoint: Endpoint,
  operation: O,
  params: OperationParams[O],
  options: CallOptions,
): AsyncGenerator<StreamBatch> {
  const asked = new GrpcExchange(endpoint, operation, options);
  const begin = streamBeginning(operation, params, asked.form);
  const finals = finalUpdates(asked.form);
  let messages: readonly GrpcAnswer[] = [];
  let before = 0;
  async function* frames(): AsyncGenerator<readonly Frame[]> {
    for await (messages of asked.messages(operation, params)) {
      const arrived = messages.map(({ text, bytes, at }, index) => ({ seq: before + index, at, data: text, bytes: base64(bytes) }));
      asked.record?.heard(arrived.reduce((sum, { data, bytes }) => sum + data.length + bytes.length, 0));
      yield arrived;
      before += messages.length;
    }
  }
  return eventBatches(async () => ({
    exchange: asked,
    content: async () => frames(),
    open: ({ seq }) => ({ results: [messages[seq - before]!.json], isPlain: true }),
    read: json => {
      requireShallow(json);
      const { note } = asked.record!;
      const event = asked.form.readStreamResponse(json, note);
      begin(event, note);
      finals?.take(json, [event], note);
      return [event];
    },
    ended: () => finals?.end(asked.record!.note),
    silent,
  }));
}

function silent(): Problem {
  return new Problem('empty-answer', sentence('The agent ended the call without sending anything.'), {
    nextStep: sentence("Look at the agent's own log at this time."),
  });
}

/** gRPC over HTTP/2 (A2A 1.0 §10, 0.3 §3.2.2). Its packages are loaded with the first call. */
export const grpc: Transport = {
  protocolBinding,
  aliases: ['grpcprotobuf'],
  address: grpcAddress,
  supports: ({ protocolVersion }) => packages[protocolVersion] !== undefined,
  call,
  stream,
  extendedCard: grpcCard,
};
