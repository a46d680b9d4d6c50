import { Readable } from 'node:stream';
import { closedByClient, closedWithWindow, type Exchange, type Frame } from '../protocol/exchange.ts';
import { isObject } from '../protocol/json.ts';
import type { Message } from '../protocol/message/message.ts';
import { isStreaming, operations, type Operation, type OperationParams, type UnaryOperation } from '../protocol/message/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { versionFor } from '../protocol/versions/index.ts';
import type { ResponseData } from './dispatcher/dispatcher.ts';
import { ConnectionProblem } from './http/connectionProblem.ts';
import { HttpResponse } from './http/httpResponse.ts';
import { parseJson } from './http/parseJson.ts';
import { httpJsonEnvelope } from './httpJson/envelope.ts';
import { jsonRpcEnvelope } from './jsonRpc/jsonRpcEnvelope.ts';
import { streamAnswer, unaryAnswer } from './transport/operationAnswer.ts';
import type { StreamBatch } from './transport/transport.ts';
import { ExchangeRecord } from './wireLog/exchangeRecord.ts';

/** An exchange with its events, as it was recorded. */
interface Recorded {
  readonly exchange: Exchange;
  readonly frames: readonly Frame[];
}

/** Headers about the bytes of a body: the recorded one is decoded, and may have been cut or changed. */
const ofBytes = ['content-encoding', 'content-length', 'transfer-encoding'];

/**
 * Reads a recorded answer as the live one was read, without a connection: a batch for each event, or one for a body. Nothing for an operation
 * or version that is not known.
 * @param message what was sent, in core shape
 * @throws Problem, as the live one: of an agent's error, of an unreadable answer, or with the words with which the exchange failed
 */
export async function* recordedAnswer({ exchange, frames }: Recorded, message: Message | undefined): AsyncGenerator<StreamBatch> {
  const { operation: name, protocolBinding, request, response, id } = exchange;
  const version = versionFor(exchange);
  const operation = operations.find(candidate => candidate === name);
  if (version === undefined || operation === undefined) return;
  const cut = failureOf(exchange);
  // An interim answer is none.
  if (response === undefined || response.status < 200) {
    if (cut !== undefined) throw cut;
    return;
  }
  const sent = parseJson(request.body);
  const rpcId = isObject(sent) ? sent['id'] : undefined;
  const envelope =
    protocolBinding === 'JSONRPC'
      ? jsonRpcEnvelope(typeof rpcId === 'string' || typeof rpcId === 'number' ? rpcId : undefined, version.errorNames)
      : httpJsonEnvelope(version.errorNames);
  // Of the parameters, reading needs the message alone.
  const params = (message === undefined ? {} : { message }) as OperationParams[Operation];
  const answer = { version, params, envelope };
  if (response.body === undefined && frames.length === 0 && cut !== undefined) throw cut;
  const begun = responseOf(exchange, cut);
  if (isStreaming(operation) || frames.length > 0) {
    const events = response.body === undefined ? eachAlone(frames, cut) : undefined;
    yield* streamAnswer(() => Promise.resolve(begun), { ...answer, operation }, events);
    return;
  }
  const { result } = await unaryAnswer(begun, { ...answer, operation: operation as UnaryOperation, params });
  const events = 'task' in result || 'message' in result ? [result] : 'status' in result ? [{ task: result }] : [];
  yield { exchangeId: id, events, frames: [], findings: [] };
}

function responseOf(
  { id, operation, protocolBinding, protocolVersion, request, response }: Exchange,
  cut: Problem | undefined,
): HttpResponse {
  const { status, headers, body = '', truncated } = response!;
  const url = new URL(URL.canParse(request.url) ? request.url : 'a2a:');
  const subject = { exchangeId: id, operation, protocolBinding, protocolVersion };
  const record = new ExchangeRecord(undefined, subject, { method: request.method, url, headers: [], secret: new Set(), body: '' });
  const kept = headers.filter(([name]) => !ofBytes.includes(name.toLowerCase()));
  const data = { statusCode: status, headers: kept.flat(), body: Readable.from(pieces(body, truncated === true)) };
  return new HttpResponse(data as unknown as ResponseData, url, record, () => cut ?? brokenOff());
}

function* pieces(body: string, isCut: boolean): Generator<Uint8Array> {
  yield Buffer.from(body);
  if (isCut) throw new Error('The recorded body was cut.');
}

async function* eachAlone(frames: readonly Frame[], cut: Problem | undefined): AsyncGenerator<readonly Frame[]> {
  for (const frame of frames) yield [frame];
  if (cut !== undefined) throw cut;
}

/** Why an exchange ended early, in the recorded words; undefined where the client wanted that. */
function failureOf({ failure, protocolBinding, response }: Exchange): Problem | undefined {
  if (failure === undefined || failure === closedByClient || failure === closedWithWindow) return undefined;
  const what = { template: failure, args: [] };
  // An error over gRPC is in no body.
  if (response !== undefined && protocolBinding === 'GRPC') return new Problem('recorded-failure', what);
  return new ConnectionProblem('connection-lost', what, response === undefined ? 'unknown' : 'yes');
}

const brokenOff = (): ConnectionProblem =>
  new ConnectionProblem('connection-lost', sentence('The connection to the agent broke in the middle of its answer.'), 'yes');
