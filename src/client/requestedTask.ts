import { findingOf, type Finding } from '../protocol/finding.ts';
import { type Operation, type OperationParams, type UnaryOperation, type UnaryResults } from '../protocol/message/operations.ts';
import { hint, Problem, sentence } from '../protocol/problem.ts';
import { quoted } from '../protocol/quoted.ts';
import { taskIdOf } from '../protocol/message/streamResponse.ts';
import { syntheticIdPrefix } from '../protocol/versions/shared/readTask.ts';
import type { Answer, StreamBatch } from './transport/transport.ts';

/** The problem of an answer about another task than the requested one. */
export interface OtherTask {
  readonly finding: Finding;
  readonly problem: Problem;
}

/**
 * Checks that the answer to an operation about one task is about that task (A2A 1.0 §3.1.3). An unusable id, such as a number (as in
 * documents of 0.1), is accepted; reading it has already noted that.
 */
export function otherTaskIn<O extends UnaryOperation>(
  operation: O,
  params: OperationParams[Operation],
  { result, findings }: Pick<Answer<UnaryResults[O]>, 'result' | 'findings'>,
): OtherTask | undefined {
  if ((operation !== 'GetTask' && operation !== 'CancelTask') || !('id' in params) || !('status' in result)) return undefined;
  const { id: asked = '' } = params;
  if (result.id === asked || result.id === '' || result.id.startsWith(syntheticIdPrefix)) return undefined;
  if (findings.some(({ pointer, message }) => pointer === '/id' && message.startsWith('id should be a string'))) return undefined;
  return otherTask(asked, result.id, '/id', 'id');
}

/**
 * Checks that a subscription begins with the requested task (A2A 1.0 §3.1.6). Later events about other tasks are left to the caller.
 * @param asked the requested task; undefined where none is requested
 * @param batch the first with events
 */
export function otherTaskBegun(asked: string | undefined, { events, findings }: StreamBatch): OtherTask | undefined {
  const [event] = events;
  const answeredId = event === undefined ? undefined : taskIdOf(event);
  if (
    asked === undefined ||
    event === undefined ||
    answeredId === undefined ||
    answeredId === asked ||
    answeredId === '' ||
    answeredId.startsWith(syntheticIdPrefix)
  )
    return undefined;
  const member = 'task' in event ? 'id' : 'taskId';
  if (findings.some(({ message }) => message.startsWith(`${member} should be a string`))) return undefined;
  return otherTask(asked, answeredId, '', member);
}

function otherTask(id: string, answeredId: string, pointer: string, member: string): OtherTask {
  const [asked, answered] = [quoted(id), quoted(answeredId)];
  return {
    finding: findingOf('CORE-19', pointer, sentence('{0} should be {1}, not {2}.', member, asked, answered)),
    problem: new Problem(
      'other-task',
      sentence('The agent was asked for task {0} and returned task {1}; the answer was not applied.', asked, answered),
      {
        nextStep: hint(
          sentence('Open the exchange to see the raw answer.'),
          '--raw prints the answer as it was on the wire; "a2a run" prints it by itself.',
        ),
      },
    ),
  };
}
