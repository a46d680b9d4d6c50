import { sentence } from '../../../protocol/problem.ts';
import { expectError, failed, isRefused } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'A pageSize outside 1 to 100 is refused',
  section: '3.1.4',
  versions: ['1.0'],
  active: true,
  kit: [],
};

export const probe: Probe = {
  async run(port) {
    const answer = await port.call('ListTasks', { pageSize: 101 });
    return isRefused(answer)
      ? expectError(answer, [-32602])
      : failed(answer, sentence('It took {0}; it should refuse.', 'pageSize 101'), answer.pointer);
  },
};
