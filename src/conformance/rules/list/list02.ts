import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { inconclusive, judged, tooFew, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  id: 'LIST-02',
  level: 'MUST',
  title: 'Tasks are listed with the newest status first',
  remedy: 'Sort tasks by the timestamp of their status, newest first, in the query.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  needsTasks: true,
  kit: ['CORE-LIST-003'],
  passive: {
    answer({ operation, result, pointer }, note) {
      if (operation !== 'ListTasks' || !isObject(result)) return;
      let before: string | undefined;
      for (const [index, { status }] of objects(result['tasks'])) {
        const timestamp = isObject(status) ? status['timestamp'] : undefined;
        const at = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
        if (Number.isNaN(at)) continue;
        if (before !== undefined && at > Date.parse(before)) {
          note(
            `${pointer}/tasks/${index}/status/timestamp`,
            sentence('{0} comes after {1}; the newest should come first.', quoted(timestamp), quoted(before)),
          );
          return;
        }
        before = timestamp as string;
      }
    },
  },
  probe: {
    async run(port) {
      const answer = await port.call('ListTasks', {});
      const tasks = isObject(answer.result) ? objects(answer.result['tasks']) : [];
      return (
        unlessResult(answer) ?? (tasks.length < 2 ? inconclusive(answer, tooFew(tasks.length, 2)) : judged('LIST-02', answer.exchange))
      );
    },
  },
};
