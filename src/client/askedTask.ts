import type { Finding } from '../protocol/finding.ts';
import type { Operation, OperationParams, UnaryOperation, UnaryResults } from '../protocol/operations.ts';
import { hint, Problem, sentence } from '../protocol/problem.ts';
import { quoted } from '../protocol/quoted.ts';
import { syntheticIdPrefix } from '../protocol/versions/readTask.ts';
import type { Answer } from './transport.ts';

/** What departs from the protocol where one task was asked for and another one answered. */
export interface OtherTask {
  readonly finding: Finding;
  readonly problem: Problem;
}

/**
 * The answer to an operation about one task has to be about it (A2A 1.0 §3.1.3). One whose id is none, such as the number that documents of 0.1
 * print, is taken for it; that is noted where it is read.
 */
export function otherTaskIn<O extends UnaryOperation>(operation: O, params: OperationParams[Operation], { result, findings }: Pick<Answer<UnaryResults[O]>, 'result' | 'findings'>): OtherTask | undefined {
  if ((operation !== 'GetTask' && operation !== 'CancelTask') || !('id' in params) || !('id' in result)) return undefined;
  if (result.id === params.id || result.id === '' || result.id.startsWith(syntheticIdPrefix)) return undefined;
  if (findings.some(({ pointer, message }) => pointer === '/id' && message.startsWith('id should be a string'))) return undefined;
  const [asked, answered] = [quoted(params.id), quoted(result.id)];
  return {
    finding: { rule: 'CORE-03', pointer: '/id', message: `id should be ${asked}, not ${answered}.` },
    problem: new Problem('other-task', sentence('The agent was asked about the task {0} and answered with the task {1}, so that its answer was not taken over.', asked, answered), {
      nextStep: hint(sentence('Open the exchange to see the answer as it was on the wire.'), 'a2a task get with --raw prints the answer as it was on the wire.'),
    }),
  };
}
