import { sentence } from '../../../protocol/problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { methodName } from '../rule/methodName.ts';
import { failed, isRefused, notTestable, passed, said, wantsCredentials } from '../rule/outcome.ts';
import type { ProbeAnswer } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessSecured } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'AUTH-01',
  level: 'MUST',
  title: 'Every request is authenticated as the card declares',
  remedy: 'Check credentials before every method; only the public card is open to everyone.',
  clause: '7.4 Server Authentication Responsibilities',
  clause0_3: '4.4 Server Responsibilities for Authentication',
  versions: ['1.0', '0.3'],
  kit: ['AUTH-SERVER-002'],
  probe: {
    unless: unlessSecured,
    async run(port) {
      const message = fromUser({ taskId: crypto.randomUUID() });
      let last: ProbeAnswer | undefined;
      for (const identity of ['anonymous', 'wrong'] as const) {
        const who = port.as(identity);
        if (who === undefined) continue;
        const answers = [
          await who.call('GetTask', { id: crypto.randomUUID() }),
          await who.call('CancelTask', { id: crypto.randomUUID() }),
          await who.call('SendMessage', { message }),
          ...(port.version === '1.0' ? [await who.call('ListTasks', {})] : []),
        ];
        for (const answer of answers) {
          last = answer;
          const name = methodName(answer.operation, answer);
          // Only an authorized client gets a result, or the error that there is no such task.
          const isServed = !isRefused(answer) || answer.error?.code === -32001;
          if (!wantsCredentials(answer) && isServed)
            return failed(
              answer,
              identity === 'anonymous'
                ? sentence('{0} was answered with {1} without credentials.', name, said(answer))
                : sentence('{0} was answered with {1} for wrong credentials.', name, said(answer)),
              answer.pointer,
            );
        }
      }
      return last === undefined
        ? notTestable(sentence('The agent cannot be asked without credentials.'))
        : passed(last, sentence('It answered {0}, as it should.', said(last)));
    },
  },
};
