import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** The gap to write if a stream ended before its task. */
const endedEarly = sentence('The agent ended the stream before the task was over, so some of what it said may be missing.');

/** The gap to write if a stream is silent and another connection knows more. */
export const wentSilent = sentence('The stream said nothing while the task went on, so some of what the agent said may be missing.');

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
  return fault.code === 'stream-silent' ? undefined : sentence('{0} Some of what it said may be missing.', fault.sentence);
}
