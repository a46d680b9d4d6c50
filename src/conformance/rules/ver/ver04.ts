import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, inconclusive, judged, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  id: 'VER-04',
  level: 'MUST',
  title: 'The answer has the shape of the requested protocol version',
  remedy: 'Serialize each response in the version of its request, not in the newest version the server supports.',
  clause: '3.6.2 Server Responsibilities',
  versions: ['1.0'],
  whileReading: true,
  needsTasks: true,
  kit: ['VER-SERVER-001'],
  probe: {
    async run(port) {
      const answer = await port.call('ListTasks', {});
      const refused = unlessResult(answer);
      if (refused !== undefined) return refused;
      const tasks = isObject(answer.result) ? objects(answer.result['tasks']) : [];
      if (tasks.length === 0) return inconclusive(answer, sentence('The list has {0} tasks.', 0));
      const old = tasks.find(([, task]) => 'kind' in task);
      return old === undefined
        ? judged('VER-04', answer.exchange)
        : failed(answer, sentence('A task has the member kind of A2A 0.3.'), `${answer.pointer}/tasks/${old[0]}/kind`);
    },
  },
};
