import type { Finding } from '../protocol/finding.ts';
import type { Operation, OperationParams, UnaryOperation, UnaryResults } from '../protocol/message/operations.ts';
import { hint, Problem, sentence } from '../protocol/problem.ts';
import { quoted } from '../protocol/quoted.ts';
import { taskIdOf } from '../protocol/message/streamResponse.ts';
import { syntheticIdPrefix } from '../protocol/versions/shared/readTask.ts';
import type { ExchangeWatch } from './exchangeWatch.ts';
import type { Answer, StreamBatch } from './transport/transport.ts';

/** The finding for an answer about another task than the one that was asked for. */
export interface OtherTask {
  readonly finding: Finding;
  readonly problem: Problem;
}

/**
 * The answer to an operation about one task has to be about it (A2A 1.0 §3.1.3). One whose id is none, such as the number that documents of 0.1
 * print, is taken for it; that is noted where it is read.
 */
export function otherTaskIn<O extends UnaryOperation>(
  operation: O,
  params: OperationParams[Operation],
  { result, findings }: Pick<Answer<UnaryResults[O]>, 'result' | 'findings'>,
): OtherTask | undefined {
  if ((operation !== 'GetTask' && operation !== 'CancelTask') || !('id' in params) || !('id' in result)) return undefined;
  if (result.id === params.id || result.id === '' || result.id.startsWith(syntheticIdPrefix)) return undefined;
  if (findings.some(({ pointer, message }) => pointer === '/id' && message.startsWith('id should be a string'))) return undefined;
  return otherTask(params.id, result.id, '/id', 'id');
}

/**
 * A subscription to one task, which has to begin with that task (A2A 1.0 §3.1.6): one that begins with another is refused as the answer to GetTask
 * would be. What it says of other tasks after that is left to the reader.
 * @throws Problem `other-task`.
 */
export async function* ofAskedTask<Batch extends StreamBatch>(
  operation: Operation,
  params: OperationParams[Operation],
  batches: AsyncIterable<Batch>,
  watch: ExchangeWatch,
): AsyncGenerator<Batch> {
  if (operation !== 'SubscribeToTask' || !('id' in params)) return yield* batches;
  let begun = false;
  let other: OtherTask | undefined;
  try {
    for await (const batch of batches) {
      if (!begun) other = otherTaskBegun(params.id, batch);
      begun ||= batch.events.length > 0;
      if (other === undefined) {
        yield batch;
        continue;
      }
      yield { ...batch, events: [], heldBy: [], findings: [...batch.findings, other.finding] };
      other.problem.cameAboutIn(batch.exchangeId);
      throw other.problem;
    }
  } finally {
    // The exchange is over only now.
    if (other !== undefined) watch.note(other.finding);
  }
}

function otherTaskBegun(asked: string, { events, findings }: StreamBatch): OtherTask | undefined {
  const [event] = events;
  const told = event === undefined ? undefined : taskIdOf(event);
  if (event === undefined || told === undefined || told === asked || told === '' || told.startsWith(syntheticIdPrefix)) return undefined;
  const member = 'task' in event ? 'id' : 'taskId';
  if (findings.some(({ message }) => message.startsWith(`${member} should be a string`))) return undefined;
  return otherTask(asked, told, '', member);
}

function otherTask(id: string, told: string, pointer: string, member: string): OtherTask {
  const [asked, answered] = [quoted(id), quoted(told)];
  return {
    finding: { rule: 'CORE-03', pointer, message: `${member} should be ${asked}, not ${answered}.` },
    problem: new Problem(
      'other-task',
      sentence(
        'The agent was asked about the task {0} and answered with the task {1}, so that its answer was not taken over.',
        asked,
        answered,
      ),
      {
        nextStep: hint(
          sentence('Open the exchange to see the answer as it was on the wire.'),
          'The same command with --raw prints the answer as it was on the wire.',
        ),
      },
    ),
  };
}
