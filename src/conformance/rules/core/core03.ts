import { fromUser } from '../rule/fromUser.ts';
import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-03',
  level: 'MUST',
  title: 'A message to an unknown task is answered with TaskNotFoundError',
  remedy: "Look up the task before work begins, and do not create one under the client's id.",
  clause: '3.4.2 Task Identifier Semantics',
  clause0_3: '7.1 message/send',
  versions: ['1.0', '0.3'],
  kit: ['CORE-MULTI-004'],
  probe: {
    mustRefuse: true,
    async run(port) {
      const message = fromUser({ taskId: crypto.randomUUID() });
      return expectError(await port.call('SendMessage', { message }), [-32001]);
    },
  },
};
