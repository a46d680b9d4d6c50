import { withEndedTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectError, expectRefusal } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-02',
  level: 'MUST',
  title: 'A message to a finished task is refused',
  remedy: "Check the task's state before accepting the message, and answer UnsupportedOperationError if it has ended.",
  clause: '3.1.1 Send Message',
  clause0_3: '7.1 message/send',
  versions: ['1.0', '0.3'],
  whileReading: true,
  startsWork: true,
  kit: ['CORE-SEND-002'],
  probe: {
    run: port =>
      withEndedTask(port, async ({ taskId, contextId }) => {
        const message = fromUser({ taskId });
        const answer = await port.call('SendMessage', { message: contextId === undefined ? message : { ...message, contextId } });
        return port.version === '1.0' ? expectError(answer, [-32004]) : expectRefusal(answer);
      }),
  },
};
