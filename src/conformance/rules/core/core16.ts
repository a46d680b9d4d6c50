import { fromUser } from '../rule/fromUser.ts';
import { expectError, expectRefusal } from '../rule/outcome.ts';
import { unlessJson } from '../rule/unless.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-16',
  level: 'MUST',
  title: 'Parameters are checked before work begins',
  remedy: 'Validate all parameters, such as a message without parts, before creating a task.',
  clause: '3.3.2 Error Handling',
  clause0_3: '10.2 Security Considerations Summary',
  versions: ['1.0', '0.3'],
  kit: ['CORE-ERR-001', 'CORE-ERR-002'],
  probe: {
    mustRefuse: true,
    unless: unlessJson,
    async run(port) {
      // Without any message: one that is taken would turn up in the task's history, with whatever it lacks.
      const answer = await port.call('SendMessage', { message: fromUser() }, { members: { message: undefined, request: undefined } });
      return port.version === '1.0' ? expectError(answer, [-32602, -32600]) : expectRefusal(answer);
    },
  },
};
