import { isObject } from '../../../protocol/json.ts';
import { isTerminal, readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { answeredTask } from '../rule/answeredTask.ts';
import { withTask } from '../rule/begun.ts';
import { failed, isAside, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { reportedState } from '../rule/reportedState.ts';
import { objects } from '../rule/values.ts';

const artifactIds = (task: unknown): readonly unknown[] =>
  isObject(task) ? objects(task['artifacts']).map(([, { artifactId }]) => artifactId) : [];

export const rule: Rule = {
  id: 'CORE-12',
  level: 'MUST',
  title: 'GetTask returns the current task',
  remedy:
    'Save the task with its artifacts before answering with it, in a store that all processes of the server share, and do not change it after it has ended.',
  clause: '3.1.3 Get Task',
  clause0_3: '7.3 tasks/get',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-GET-001'],
  probe: {
    run: port =>
      withTask(port, 'task', async ({ taskId, state }, begun) => {
        const answer = await port.call('GetTask', { id: taskId });
        const { result } = answer;
        const now = readTaskState(reportedState(result));
        // Nothing follows the end of a task (§3.1.2).
        if (state !== undefined && isTerminal(state) && now !== undefined && now !== state)
          return failed(answer, sentence('The task ended in {0}, and is now in {1}.', state, now), answer.pointer);
        if (isObject(result) && result['id'] === taskId && isObject(result['status'])) {
          const kept = artifactIds(result);
          const lost = artifactIds(answeredTask({ ...begun, operation: 'SendMessage' })?.[0]).find(id => !kept.includes(id));
          // Before the end a task may still replace what it has.
          if (lost !== undefined && state !== undefined && isTerminal(state))
            return failed(answer, sentence('Artifact {0}, which the answer to the message had, is missing.', quoted(lost)), answer.pointer);
          return passed(answer, sentence('It returned the task that it had started.'));
        }
        return answer.error?.code === -32601 || isAside(answer)
          ? nothing(answer)
          : failed(
              answer,
              sentence('It answered {0}; it should return task {1}, which it had started.', said(answer), taskId),
              answer.error?.pointer,
            );
      }),
  },
};
