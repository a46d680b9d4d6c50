import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { withTask } from '../rule/begun.ts';
import { failed, passed, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  id: 'AUTH-04',
  level: 'MUST',
  title: "Lists contain only the caller's tasks",
  remedy: 'Filter task lists by the caller, in the query itself.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  startsWork: true,
  needsTwoIdentities: true,
  kit: ['AUTH-SCOPE-001', 'AUTH-SCOPE-002', 'CORE-LIST-001'],
  probe: {
    run: port =>
      withTask(port, 'task', async ({ taskId }) => {
        const answer = await port.as('other')!.call('ListTasks', { pageSize: 100 });
        const refused = unlessResult(answer);
        if (refused !== undefined) return refused;
        const found = isObject(answer.result) ? objects(answer.result['tasks']).find(([, { id }]) => id === taskId) : undefined;
        return found === undefined
          ? passed(answer, sentence('The list has no task of another caller.'))
          : failed(answer, sentence('It gave another caller the task {0}.', quoted(taskId)), `${answer.pointer}/tasks/${found[0]}/id`);
      }),
  },
};
