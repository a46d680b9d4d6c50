import { withEndedTask } from '../rule/begun.ts';
import { expectError } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Canceling an unknown task, or one that is over, is refused with its error',
  section: '3.1.5',
  section0_3: '7.4',
  versions: ['1.0', '0.3'],
  active: true,
  startsWork: true,
  kit: ['CORE-CANCEL-001', 'CORE-CANCEL-002', 'CORE-CANCEL-003'],
};

export const probe: Probe = {
  async run(port) {
    const unknown = expectError(await port.call('CancelTask', { id: crypto.randomUUID() }), [-32001]);
    if (unknown.verdict !== 'pass') return unknown;
    const ended = await withEndedTask(port, async ({ taskId }) => expectError(await port.call('CancelTask', { id: taskId }), [-32002]));
    return ended.verdict === 'fail' ? ended : unknown;
  },
};
