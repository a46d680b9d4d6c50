import { fromUser } from '../rule/fromUser.ts';
import { expectError } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A message to an unknown task is answered with TaskNotFoundError',
  section: '3.4.2',
  section0_3: '7.1',
  versions: ['1.0', '0.3'],
  active: true,
  kit: ['CORE-MULTI-004'],
};

export const probe: Probe = {
  async run(port) {
    const message = fromUser({ taskId: crypto.randomUUID() });
    return expectError(await port.call('SendMessage', { message }), [-32001]);
  },
};
