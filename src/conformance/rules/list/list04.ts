import { sentence } from '../../../protocol/problem.ts';
import { expectError, failed, isRefused } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'LIST-04',
  level: 'tool',
  title: 'A pageSize outside 1 to 100 is refused',
  remedy: 'Check pageSize before the query, and answer InvalidParams outside 1 to 100.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  needsTasks: true,
  kit: [],
  probe: {
    mustRefuse: true,
    async run(port) {
      const answer = await port.call('ListTasks', { pageSize: 101 });
      return isRefused(answer)
        ? expectError(answer, [-32602])
        : failed(answer, sentence('It accepted {0}; it should refuse.', 'pageSize 101'), answer.pointer);
    },
  },
};
