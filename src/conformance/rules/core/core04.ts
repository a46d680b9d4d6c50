import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { withTask, withoutTask } from '../rule/begun.ts';
import { failed, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-04',
  level: 'MUST',
  title: 'Every new task has a unique id',
  remedy: 'Generate a random id for each task, such as a UUID.',
  clause: '3.4.2 Task Identifier Semantics',
  clause0_3: '6.1 Task Object',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-MULTI-003'],
  probe: {
    run: port =>
      withTask(port, 'task', async one => {
        const other = await port.make('task', 'another');
        const lacking = withoutTask(other!, 'task');
        if (lacking !== undefined) return lacking;
        const { answer, task } = other!;
        return task!.taskId === one.taskId
          ? failed(answer, sentence('Two tasks have the id {0}.', quoted(one.taskId)), answer.pointer)
          : passed(answer, sentence('Each task has a unique id.'));
      }),
  },
};
