import type { ReceivedFacts, ReceivedOutcome } from '../../protocol/exchange.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

const outcomes: Readonly<Record<ReceivedOutcome, LocalizedMessage>> = {
  applied: sentence('The task was updated.'),
  stream: sentence("Not applied: while the task's stream is open, its events come from the stream."),
  older: sentence('Not applied: a newer state is known.'),
  asked: sentence('The agent was asked for the whole task: an artifact chunk alone could be a duplicate.'),
  elsewhere: sentence('Not applied: another window follows the task.'),
  repeated: sentence('Not applied again: it was delivered before.'),
  rehearsed: sentence('Not applied: it was answered with a simulated failure, so the agent should send it again.'),
  refused: sentence('Refused with HTTP 401: its sender or its task does not match the configuration.'),
  unreadable: sentence('Refused: it cannot be read.'),
};

/** Outcome of a push notification. */
export const outcomeSentence = (outcome: ReceivedOutcome): LocalizedMessage => outcomes[outcome];

/** Note that the answer was part of a rehearsal; undefined otherwise. */
export function rehearsalSentence({ rehearsed }: ReceivedFacts): LocalizedMessage | undefined {
  switch (rehearsed?.kind) {
    case undefined:
      return undefined;
    case 'error':
      return sentence('Simulated failure: answered with HTTP 500.');
    case 'redirect':
      return sentence('Simulated failure: answered with a redirect.');
    case 'silent':
      return sentence('Simulated failure: not answered.');
    case 'slow':
      return sentence('Simulated failure: answered {0} s late.', rehearsed.ms / 1000);
  }
}

/** All sentences about a push notification, the outcome first. */
export function deliverySentences(received: ReceivedFacts): readonly LocalizedMessage[] {
  const rehearsal = rehearsalSentence(received);
  return [
    outcomeSentence(received.outcome),
    ...(rehearsal === undefined ? [] : [rehearsal]),
    ...received.verdicts.map(({ sentence: said }) => said),
  ];
}
