import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError } from '../../protocol/errors.ts';
import { isUnreadable } from '../../client/wireLog/unreadableAnswer.ts';
import type { Frame } from '../../protocol/exchange.ts';
import { Problem } from '../../protocol/problem.ts';
import { openedEvent } from '../rules/rule/answerView.ts';
import type { ProbeAnswer, ProbeEvent } from '../rules/rule/probe.ts';
import { errorOf, wholeJson } from './probeAnswer.ts';

/**
 * The events of a stream, each as it came. Rejects with ConnectionProblem where the agent could not be asked.
 * @param refused called with the error that the agent gave instead of an event
 * @param onAnswer called when an event came, and with the error where none came at all
 */
export async function* probeEvents(
  batches: AsyncIterable<{ readonly frames: readonly Frame[] }>,
  binding: string,
  refused: (error: ProbeAnswer['error']) => void,
  onAnswer: (error?: unknown) => void,
): AsyncGenerator<ProbeEvent> {
  let hasBegun = false;
  try {
    for await (const { frames } of batches)
      for (const frame of frames) {
        if (!hasBegun) onAnswer();
        hasBegun = true;
        const { result, error } = openedEvent(wholeJson(frame.data), binding);
        if (error !== undefined) refused(error);
        yield { frame, result, error };
      }
  } catch (error) {
    if (!hasBegun) onAnswer(error);
    // An error of the agent is an answer, and its event was given before; that it sends elsewhere, or what cannot be read, is none.
    if (!(error instanceof Problem) || error instanceof ConnectionProblem || error.code === 'redirected' || isUnreadable(error))
      throw error;
    if (binding !== 'GRPC') return;
    refused(error instanceof A2AError ? errorOf(error) : { code: undefined, value: { message: error.message }, pointer: '' });
  }
}
