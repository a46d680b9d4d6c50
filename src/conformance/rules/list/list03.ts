import { isTerminal, readTaskState } from '../../../protocol/message/taskState.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, inconclusive, judged, unlessResult } from '../rule/outcome.ts';
import type { ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { reportedState } from '../rule/reportedState.ts';
import { objects } from '../rule/values.ts';

const tasksIn = (result: unknown): ReturnType<typeof objects> => (isObject(result) ? objects(result['tasks']) : []);
const hasArtifacts = (task: unknown): boolean => isObject(task) && Array.isArray(task['artifacts']) && task['artifacts'].length > 0;

/** Most tasks that are looked at for artifacts: not every task has some. */
const maxAsked = 3;

/** A warning where tasks that are over have artifacts and are listed without them, although they were asked for; undefined where not. */
async function unlessIncluded(port: ProbePort): Promise<ProbeResult | undefined> {
  const answer = await port.call('ListTasks', { includeArtifacts: true });
  const tasks = tasksIn(answer.result);
  if (tasks.some(([, task]) => hasArtifacts(task))) return undefined;
  const over = tasks.filter(([, task]) => {
    const state = readTaskState(reportedState(task));
    return state !== undefined && isTerminal(state) && typeof task['id'] === 'string';
  });
  for (const [index, { id }] of over.slice(0, maxAsked)) {
    const { result } = await port.call('GetTask', { id: id as string });
    // A warning: what the specification says of it is a "should" in small letters.
    if (hasArtifacts(result))
      return {
        ...failed(
          answer,
          sentence('Task {0} is listed without its artifacts, although includeArtifacts is true.', quoted(id)),
          `${answer.pointer}/tasks/${index}`,
        ),
        verdict: 'warn',
      };
  }
  return undefined;
}

export const rule: Rule = {
  id: 'LIST-03',
  level: 'MUST',
  title: 'Listed tasks have artifacts if includeArtifacts is set, and only then',
  remedy: 'Include the artifacts of listed tasks if includeArtifacts is true; otherwise leave the member out, even an empty one.',
  clause: '3.1.4 List Tasks',
  versions: ['1.0'],
  needsTasks: true,
  kit: ['CORE-LIST-005'],
  passive: {
    answer({ operation, params, result, pointer }, note) {
      if (operation !== 'ListTasks' || !isObject(result) || String(params['includeArtifacts']) === 'true') return;
      for (const [index, { artifacts }] of objects(result['tasks'])) {
        if (artifacts === undefined) continue;
        const isEmpty = artifacts === null || (Array.isArray(artifacts) && artifacts.length === 0);
        note(
          `${pointer}/tasks/${index}/artifacts`,
          isEmpty
            ? sentence('{0} is {1}; it should be left out.', 'artifacts', quoted(artifacts))
            : sentence('The task is listed with its artifacts, which were not requested.'),
        );
        return;
      }
    },
  },
  probe: {
    async run(port) {
      const answer = await port.call('ListTasks', {});
      const refused = unlessResult(answer);
      if (refused !== undefined) return refused;
      if (tasksIn(answer.result).length === 0) return inconclusive(answer, sentence('The list has {0} tasks.', 0));
      const found = judged('LIST-03', answer.exchange);
      return found.verdict === 'pass' ? ((await unlessIncluded(port)) ?? found) : found;
    },
  },
};
