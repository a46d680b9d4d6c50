import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import type { A2AError } from '../../protocol/errors.ts';
import { taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** The gap to write if a stream ended before its task. */
const endedEarly = sentence('The agent ended the stream before the task finished, so some of its output may be missing.');

/** Why a stream is gone that its agent ended. */
export const endedBeforeTask = sentence('The agent ended the stream before the task finished.');

/** The gap to write if a stream is silent and another connection has news. */
export const wentSilent = sentence("The stream was silent while the task continued, so some of the agent's output may be missing.");

/** Ends the listening to a stream that went silent. */
export const silentStream = (): ConnectionProblem => new ConnectionProblem('stream-silent', wentSilent, 'yes');

/** Ends the listening to an agent that has sent only comments for so many milliseconds. */
export const onlyKeptAlive = (ms: number): ConnectionProblem =>
  new ConnectionProblem(
    'only-kept-alive',
    ms % 60_000 === 0
      ? sentence('The agent has sent only keep-alive comments for {0} min.', ms / 60_000)
      : sentence('The agent has sent only keep-alive comments for {0} seconds.', ms / 1000),
    'yes',
    { nextStep: sentence('Look at the agent\'s own log, or give it more time with "answerTimeoutMs" in its settings.') },
  );

/** The gap to write if a stream was cut, by what ended it. For a stream that went silent the gap was written when that was found. */
export function gapOf(fault: ConnectionProblem | undefined): LocalizedMessage | undefined {
  if (fault === undefined) return endedEarly;
  return fault.code === 'stream-silent' ? undefined : sentence('{0} Some of its output may be missing.', fault.sentence);
}

/** The stream is gone, and the agent cannot report the task's state. */
export const lostWithStream = (cut: ConnectionProblem | undefined, error: A2AError): Problem =>
  new Problem('stream-ended', sentence('{0} The task was then asked for: {1}', cut?.sentence ?? endedBeforeTask, error.sentence), {
    nextStep: error.nextStep,
    details: error.details,
    cause: error,
  });

/** The agent names a state of the task that A2A does not have. */
export const inForeignState = (name: string): Problem =>
  new Problem(
    'unknown-state',
    sentence('The task is in the state {0}, which A2A does not define, so it is unknown whether the task has ended.', name),
    { nextStep: sentence("Look at the agent's own log at this time.") },
  );

/** The agent answered with a task that works, and has forgotten it when it is asked. `canStream`: by its card. */
export const notKept = (state: TaskState, error: A2AError, canStream: boolean): Problem =>
  new Problem(
    'task-not-kept',
    sentence('The agent returned a task that is {0} but no longer has it: {1}', taskStates[state].label, error.sentence),
    {
      nextStep: canStream
        ? hint(
            sentence('Its outcome may be sent only in a stream: send the message as a stream.'),
            'Its outcome may be sent only in a stream: use a2a send with --stream, and SendStreamingMessage in a request file.',
          )
        : sentence('Check why the agent does not keep its tasks: GetTask has to return what SendMessage answered with.'),
      details: error.details,
      cause: error,
    },
  );
