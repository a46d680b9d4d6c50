import { readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectError, inconclusive, isRefused } from '../rule/outcome.ts';
import { noCard } from '../rule/unless.ts';
import type { Rule } from '../rule/rule.ts';
import { reportedState } from '../rule/reportedState.ts';

const odd = 'application/x-no-such-type-of-a2a';

export const rule: Rule = {
  id: 'CORE-17',
  level: 'MUST',
  title: 'An unsupported media type is refused with ContentTypeNotSupportedError',
  remedy: 'Compare the media types of parts with the input modes of the card before work begins.',
  clause: '3.1.1 Send Message',
  clause0_3: '8.2 A2A-Specific Errors',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-SEND-003'],
  probe: {
    unless: ({ card: { defaultInputModes }, noCard: isMissing }) =>
      isMissing === true
        ? noCard
        : defaultInputModes.some(mode => mode.includes('*'))
          ? sentence('The card takes media types of every kind.')
          : undefined,
    async run(port) {
      const answer = await port.call('SendMessage', {
        message: fromUser({ parts: [{ raw: 'eA==', mediaType: odd }] }),
      });
      if (isRefused(answer)) return expectError(answer, [-32005]);
      const state = readTaskState(reportedState(answer.result));
      if (state === undefined) return inconclusive(answer, sentence('It answered with a message, which may say the same in its text.'));
      return state === 'TASK_STATE_REJECTED' || state === 'TASK_STATE_FAILED'
        ? inconclusive(answer, sentence('The task went to {0}, which is another way to refuse the message.', state))
        : expectError(answer, [-32005]);
    },
  },
};
