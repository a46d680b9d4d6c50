import { isActive, readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { withEndedTask, withoutTask } from '../rule/begun.ts';
import { expectError, failed, whole } from '../rule/outcome.ts';
import type { ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { reportedState } from '../rule/reportedState.ts';

/** The failure where an agent says that a task is canceled, and then that it goes on; undefined where it does not, or nothing takes long. */
async function unlessCanceled(port: ProbePort): Promise<ProbeResult | undefined> {
  const begun = await port.make('long-task', 'another');
  if (begun === undefined || withoutTask(begun, 'long-task') !== undefined) return undefined;
  const { taskId: id } = begun.task!;
  const told = readTaskState(reportedState((await port.call('CancelTask', { id })).result));
  if (told !== 'TASK_STATE_CANCELED') return undefined;
  const answer = await port.call('GetTask', { id });
  const now = readTaskState(reportedState(answer.result));
  return now !== undefined && isActive(now)
    ? failed(answer, sentence('The task ended in {0}, and is now in {1}.', told, now), answer.pointer)
    : undefined;
}

const ofUnknownTask = async (port: ProbePort): Promise<ProbeResult> =>
  expectError(await port.call('CancelTask', { id: crypto.randomUUID() }), [-32001]);

export const rule: Rule = {
  id: 'CORE-15',
  level: 'MUST',
  title: 'CancelTask ends the task; unknown and finished tasks are refused with their errors',
  remedy: 'Look up the task and check its state before canceling: TaskNotFoundError, or TaskNotCancelableError.',
  clause: '3.1.5 Cancel Task',
  clause0_3: '7.4 tasks/cancel',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-CANCEL-001', 'CORE-CANCEL-002', 'CORE-CANCEL-003'],
  probe: {
    withoutWork: ofUnknownTask,
    async run(port) {
      const unknown = await ofUnknownTask(port);
      if (unknown.verdict === 'fail') return unknown;
      const ended = await withEndedTask(port, async ({ taskId }) => expectError(await port.call('CancelTask', { id: taskId }), [-32002]));
      return whole([(await unlessCanceled(port)) ?? unknown, ended]);
    },
  },
};
