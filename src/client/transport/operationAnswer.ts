import type { Frame } from '../../protocol/exchange.ts';
import type { Note } from '../../protocol/finding.ts';
import { isSend, type Operation, type OperationParams, type UnaryOperation, type UnaryResults } from '../../protocol/message/operations.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { readResult, readStreamResponses } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { readBatches, readUnary, type Reading } from './answer.ts';
import { finalUpdates } from './finalUpdates.ts';
import { inContext, namedContext } from './clientNames.ts';
import type { Envelope } from './envelope.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { streamBeginning } from './streamBeginning.ts';
import type { Answer, StreamBatch } from './transport.ts';
import { sentence } from '../../protocol/problem.ts';

/** The request, needed to read its answer. */
interface SentOperation<O extends Operation> {
  readonly operation: O;
  /** The form of the protocol version in use. */
  readonly version: Version;
  /** The parameters as sent. */
  readonly params: OperationParams[O];
  readonly envelope: Envelope;
}

/**
 * Reads the answer to a unary operation and ends its record.
 * @throws A2AError, ConnectionProblem, Problem
 */
export async function unaryAnswer<O extends UnaryOperation>(
  response: HttpResponse,
  { operation, version, params, envelope }: SentOperation<O>,
): Promise<Answer<UnaryResults[O]>> {
  const { record } = response;
  try {
    const read = await readUnary(response, envelope, value => readResult(operation, value, version, record.note));
    const result = isSend(operation)
      ? (inContext(read as UnaryResults['SendMessage'], namedContext(params, version)) as UnaryResults[O])
      : read;
    record.end();
    return { result, exchangeId: record.id, findings: record.findings };
  } catch (error) {
    record.end(error);
    throw error;
  }
}

/** Name of the request for the extended card in exchanges, in every binding and version (A2A 1.0 §3.1.11). */
export const extendedCardOperation = 'GetExtendedAgentCard';

/**
 * Reads the answer to a request for the extended card and ends its record.
 * @throws A2AError, ConnectionProblem, Problem
 */
export async function cardAnswer<Result>(
  response: HttpResponse,
  envelope: Envelope,
  read: (card: unknown, note: Note, exchangeId: string) => Result,
): Promise<Result> {
  const { record } = response;
  try {
    const card = await readUnary(response, envelope, value => read(value, record.note, record.id));
    record.end();
    return card;
  } catch (error) {
    record.end(error);
    throw error;
  }
}

/**
 * Reads the answer to a streaming operation, which is sent when iteration starts. An answer that is not a stream is one event, with a finding.
 * @param recorded see `readBatches`
 */
export function streamAnswer(
  send: () => Promise<HttpResponse>,
  { operation, version, params, envelope }: SentOperation<Operation>,
  recorded?: AsyncIterable<readonly Frame[]>,
): AsyncGenerator<StreamBatch> {
  const contextId = namedContext(params, version);
  const begin = streamBeginning(operation, params, version);
  const finals = finalUpdates(version);
  const readingOf = (note: Note): Reading => {
    const event: Reading['event'] = result => {
      const events = readStreamResponses(result, version, note).map(read => inContext(read, contextId));
      for (const read of events) begin(read, note);
      finals?.take(result, events, note);
      return events;
    };
    return {
      envelope,
      event,
      body: result => {
        note(envelope.rules.mediaType, '', sentence('The agent answered a streaming request without a stream.'));
        return event(result);
      },
      ended: () => finals?.end(note),
    };
  };
  return readBatches(send, readingOf, recorded);
}

/** Reads the result of a unary operation as events. */
export function eventsOf(operation: UnaryOperation, result: unknown, version: Version, note: Note): readonly StreamResponse[] {
  const read = readResult(operation, result, version, note);
  if ('tasks' in read) return read.tasks.map(task => ({ task }));
  if ('task' in read || 'message' in read) return [read];
  return 'status' in read ? [{ task: read }] : [];
}
