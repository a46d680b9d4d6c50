import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { withTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { judged, unlessResult } from '../rule/outcome.ts';
import type { Fields } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';
import { answeredTask, wantedHistory } from '../rule/answeredTask.ts';

export const rule: Rule = {
  id: 'CORE-14',
  level: 'SHOULD',
  title: 'With a historyLength of 0 there is no history',
  remedy: 'With a historyLength of 0, leave history out: it is neither an empty list nor unset.',
  clause: '3.2.4 History Length Semantics',
  versions: ['1.0'],
  startsWork: true,
  kit: ['CORE-HIST-001', 'CORE-HIST-003'],
  passive: {
    answer(view, note) {
      if (wantedHistory(view) !== 0 || !isObject(view.result)) return;
      const check = (task: Fields, pointer: string): void => {
        const { history } = task;
        if (!Array.isArray(history)) return;
        note(
          `${pointer}/history`,
          history.length === 0
            ? sentence('{0} is {1}; it should be left out.', 'history', quoted(history))
            : sentence('The history has {0} messages; none were requested.', history.length),
        );
      };
      const found = answeredTask(view);
      if (found !== undefined) check(...found);
      if (view.operation === 'ListTasks')
        for (const [index, task] of objects(view.result['tasks'])) check(task, `${view.pointer}/tasks/${index}`);
    },
  },
  probe: {
    run: port =>
      withTask(port, 'task', async ({ taskId, contextId }) => {
        const got = await port.call('GetTask', { id: taskId, historyLength: 0 });
        const found = unlessResult(got) ?? judged('CORE-14', got.exchange);
        if (found.verdict !== 'pass') return found;
        const listed = await port.call('ListTasks', { ...(contextId !== undefined && { contextId }), historyLength: 0 });
        const longer = judged('CORE-14', listed.exchange);
        if (longer.verdict !== 'pass') return longer;
        const message = fromUser({ parts: [...port.prompt('task')!] });
        const sent = await port.call('SendMessage', { message, configuration: { historyLength: 0 } });
        return unlessResult(sent) ?? judged('CORE-14', sent.exchange);
      }),
  },
};
