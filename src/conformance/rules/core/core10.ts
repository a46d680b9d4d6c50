import { isActive } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { withTask } from '../rule/begun.ts';
import { failed, inconclusive, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

/** A send that takes longer has waited, in milliseconds. */
const waitedMs = 1_000;

export const rule: Rule = {
  id: 'CORE-10',
  level: 'MUST',
  title: 'A send with returnImmediately returns without waiting',
  remedy: 'Start the work in the background and return the task at once if returnImmediately is set.',
  clause: '3.2.2 SendMessageConfiguration',
  clause0_3: '7.1.1 MessageSendParams Object',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-EXECUTION-MODE-002'],
  probe: {
    run: port =>
      withTask(port, 'long-task', async ({ taskId, state }, answer) => {
        const { startedAt, endedAt = startedAt } = answer.exchange;
        if (state === undefined || isActive(state)) {
          await port.call('CancelTask', { id: taskId });
          return passed(answer, sentence('It was answered with {0} after {1} ms.', state ?? '-', Math.round(endedAt - startedAt)));
        }
        return endedAt - startedAt >= waitedMs
          ? failed(
              answer,
              sentence('It was answered with {0} after {1} ms; it should not wait.', state, Math.round(endedAt - startedAt)),
              answer.pointer,
            )
          : inconclusive(answer, sentence('The task is in {0}; it was meant to take long.', state));
      }),
  },
};
