import type { Note } from '../../protocol/finding.ts';
import { isSend, type Operation, type OperationParams, type UnaryOperation, type UnaryResults } from '../../protocol/message/operations.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { readResult, readStreamResponse } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { readBatches, readUnary, type Reading } from './answer.ts';
import { inContext, namedContext } from './clientNames.ts';
import type { Envelope } from './envelope.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { streamBeginning } from './streamBeginning.ts';
import type { Answer, StreamBatch } from './transport.ts';

/** What was asked, to read the answer to it. */
export interface Asked<O extends Operation> {
  readonly operation: O;
  /** The form of the protocol version in use. */
  readonly version: Version;
  /** As they were sent. */
  readonly params: OperationParams[O];
  readonly envelope: Envelope;
}

/** The answer to a unary operation; ends its record. @throws A2AError, ConnectionProblem, Problem */
export async function unaryAnswer<O extends UnaryOperation>(
  response: HttpResponse,
  { operation, version, params, envelope }: Asked<O>,
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

/** The answer to a streaming operation. One that is no stream is one event, and noted. */
export function streamAnswer(
  response: HttpResponse,
  { operation, version, params, envelope }: Asked<Operation>,
): AsyncGenerator<StreamBatch> {
  const { note } = response.record;
  const contextId = namedContext(params, version);
  const begin = streamBeginning(operation, params, version);
  const event: Reading['event'] = result => {
    const told = inContext(readStreamResponse(result, version, note), contextId);
    begin(told, note);
    return [told];
  };
  return readBatches(response, {
    envelope,
    event,
    body: result => {
      note(envelope.rules.mediaType, '', 'The agent answered a streaming request without a stream.');
      return event(result);
    },
  });
}

/** The result of a unary operation as events. */
export function eventsOf(operation: UnaryOperation, result: unknown, version: Version, note: Note): readonly StreamResponse[] {
  const read = readResult(operation, result, version, note);
  if ('tasks' in read) return read.tasks.map(task => ({ task }));
  return ['task' in read || 'message' in read ? read : { task: read }];
}
