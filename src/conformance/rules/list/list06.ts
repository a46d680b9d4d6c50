import { readTaskState } from '../../../protocol/message/taskState.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { unlessMoved, withTask } from '../rule/begun.ts';
import { failed, inconclusive, passed, unlessResult } from '../rule/outcome.ts';
import type { Fields } from '../rule/passiveCheck.ts';
import type { ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { reportedState } from '../rule/reportedState.ts';
import { objects } from '../rule/values.ts';

const timeOf = ({ status }: Fields): number => (isObject(status) ? Date.parse(String(status['timestamp'])) : NaN);

/** Times from there on have more than four digits in their year. */
const maxTime = Date.UTC(9999, 0);

/** The verdict where tasks are listed whose status is older than was asked for; undefined where none are, or none have a time. */
async function unlessAfter(port: ProbePort, tasks: ReturnType<typeof objects>): Promise<ProbeResult | undefined> {
  const times = tasks.map(([, task]) => timeOf(task)).filter(time => time < maxTime);
  if (times.length === 0) return undefined;
  const after = Math.max(...times) + 1;
  const answer = await port.call('ListTasks', { statusTimestampAfter: new Date(after).toISOString() });
  const older = (isObject(answer.result) ? objects(answer.result['tasks']) : []).find(([, task]) => timeOf(task) < after);
  if (older === undefined) return undefined;
  const [index, { status }] = older;
  return failed(
    answer,
    sentence(
      '{0} should be {1} or later, not {2}.',
      'timestamp',
      quoted(new Date(after).toISOString()),
      quoted((status as Fields)['timestamp']),
    ),
    `${answer.pointer}/tasks/${index}/status/timestamp`,
  );
}

export const rule: Rule = {
  id: 'LIST-06',
  level: 'MUST',
  title: 'A list has only the tasks that its filters ask for',
  remedy: 'Apply contextId, status and statusTimestampAfter in the query, before the page is cut.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  startsWork: true,
  needsTasks: true,
  kit: [],
  probe: {
    run: port =>
      withTask(port, 'task', async ({ taskId, contextId, state: begun }) => {
        const listed = async (params: { readonly contextId?: string; readonly status?: typeof state }) => {
          const answer = await port.call('ListTasks', params);
          return { answer, tasks: isObject(answer.result) ? objects(answer.result['tasks']) : [] };
        };
        const all = await listed({});
        const refused = unlessResult(all.answer);
        if (refused !== undefined) return refused;
        const contextOf = (task: unknown): unknown => (isObject(task) ? task['contextId'] : undefined);
        const stateOf = (task: unknown): typeof begun => readTaskState(reportedState(task));
        const find = (tasks: typeof all.tasks): unknown => tasks.find(([, { id }]) => id === taskId)?.[1];
        const mine = find(all.tasks);
        // Since it was begun it may have moved on.
        const state = stateOf(mine) ?? begun;
        if (contextId === undefined || state === undefined)
          return inconclusive(all.answer, sentence('The task has no context or no state to filter by.'));
        // A state in which it is not, too: there may be no task that is in another one than this.
        const another = state === 'TASK_STATE_REJECTED' ? 'TASK_STATE_FAILED' : 'TASK_STATE_REJECTED';
        const lists = [
          { name: 'contextId', value: contextId, of: contextOf, list: await listed({ contextId }) },
          { name: 'status', value: state, of: stateOf, list: await listed({ status: state }) },
          { name: 'status', value: another, of: stateOf, list: await listed({ status: another }) },
        ];
        for (const { name, value, of, list } of lists) {
          const { answer, tasks } = list;
          const missed = unlessResult(answer);
          if (missed !== undefined) return missed;
          const other = tasks.find(([, task]) => of(task) !== value);
          if (other !== undefined)
            return failed(
              answer,
              sentence('{0} should be {1}, not {2}.', name, quoted(value), quoted(of(other[1]))),
              `${answer.pointer}/tasks/${other[0]}`,
            );
          // Of a long list the first page may not have it.
          if (value !== another && mine !== undefined && find(tasks) === undefined)
            return (
              (await unlessMoved(port, { taskId, state })) ??
              failed(
                answer,
                sentence('Task {0} is missing, though its {1} is {2}.', quoted(taskId), name, quoted(value)),
                `${answer.pointer}/tasks`,
              )
            );
        }
        return (await unlessAfter(port, all.tasks)) ?? passed(all.answer, sentence('The lists had exactly the requested tasks.'));
      }),
  },
};
