import type { ReceivedFacts, ReceivedOutcome } from '../../protocol/exchange.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

const outcomes: Readonly<Record<ReceivedOutcome, LocalizedMessage>> = {
  applied: sentence('The task was updated.'),
  stream: sentence("Not applied: the task's stream is open and tells the same."),
  older: sentence('Not applied: something newer is known.'),
  asked: sentence('The agent was asked for the whole task: a piece of an artifact alone could be a repetition.'),
  elsewhere: sentence('Not applied: another window listens to the task.'),
  repeated: sentence('Not applied again: it was delivered before.'),
  rehearsed: sentence('Not applied: it was answered with a failure on purpose, so the agent should send it again.'),
  refused: sentence('Refused: it is not shown that the agent sent it.'),
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
      return sentence('Rehearsal: answered with HTTP 500 on purpose.');
    case 'redirect':
      return sentence('Rehearsal: answered with a redirect on purpose.');
    case 'silent':
      return sentence('Rehearsal: not answered on purpose.');
    case 'slow':
      return sentence('Rehearsal: answered {0} s late on purpose.', rehearsed.ms / 1000);
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
