import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { withTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { inconclusive, judged, unlessResult } from '../rule/outcome.ts';
import type { Fields, PassiveCheck } from '../rule/passiveCheck.ts';
import type { Probe, ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';
import { answeredTask, wantedHistory } from '../rule/answeredTask.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A history is not longer than historyLength',
  section: '3.2.4',
  section0_3: '7.3.1',
  versions: ['1.0', '0.3'],
  passive: true,
  active: true,
  startsWork: true,
  kit: ['CORE-HIST-002'],
};

export const passive: PassiveCheck = {
  answer(view, note) {
    const wanted = wantedHistory(view);
    if (wanted === undefined || wanted === 0 || !isObject(view.result)) return;
    const check = (task: Fields, pointer: string): void => {
      const { history } = task;
      if (Array.isArray(history) && history.length > wanted)
        note(`${pointer}/history`, sentence('The history has {0} messages; at most {1} were asked for.', history.length, wanted));
    };
    const found = answeredTask(view);
    if (found !== undefined) check(...found);
    if (view.operation === 'ListTasks')
      for (const [index, task] of objects(view.result['tasks'])) check(task, `${view.pointer}/tasks/${index}`);
  },
};

/** The verdict on a history that is cut to one message; `inconclusive` where there is no more to cut. */
async function cut(port: ProbePort, id: string): Promise<ProbeResult> {
  const answer = await port.call('GetTask', { id, historyLength: 1 });
  const found = unlessResult(answer) ?? judged('CORE-13', answer.exchange);
  if (found.verdict !== 'pass') return found;
  const whole = await port.call('GetTask', { id });
  const history = isObject(whole.result) ? whole.result['history'] : undefined;
  const count = Array.isArray(history) ? history.length : 0;
  return count > 1 ? found : inconclusive(whole, sentence('The history has {0} messages; the check needs more than one.', count));
}

export const probe: Probe = {
  async run(port) {
    const found = await withTask(port, 'task', ({ taskId }) => cut(port, taskId));
    if (found.verdict !== 'inconclusive' || port.prompt('input-required') === undefined) return found;
    return withTask(port, 'input-required', async ({ taskId, contextId }) => {
      await port.call('SendMessage', { message: fromUser(contextId === undefined ? { taskId } : { taskId, contextId }) });
      return cut(port, taskId);
    });
  },
};
