import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { withoutTask, withTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { failed, inconclusive, judged, unlessResult } from '../rule/outcome.ts';
import type { Fields } from '../rule/passiveCheck.ts';
import type { MadeTask, ProbeAnswer, ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';
import { answeredTask, wantedHistory } from '../rule/answeredTask.ts';

/** The verdict on another answer where that breaks the rule; the one before where not, as where it is refused. */
const unlessLonger = (found: ProbeResult, { exchange }: ProbeAnswer): ProbeResult => {
  const other = judged('CORE-13', exchange);
  return other.verdict === 'pass' ? found : other;
};

const messages = (task: unknown): ReturnType<typeof objects> => (isObject(task) ? objects(task['history']) : []);

/** The verdict on a history that is cut to one message; `inconclusive` where there is no more to cut. */
async function cut(port: ProbePort, { taskId: id, contextId }: MadeTask, begun: ProbeAnswer): Promise<ProbeResult> {
  const whole = await port.call('GetTask', { id });
  const answer = await port.call('GetTask', { id, historyLength: 1 });
  const found = unlessResult(answer) ?? judged('CORE-13', answer.exchange);
  if (found.verdict !== 'pass') return found;
  const count = messages(whole.result).length;
  if (count < 2) return inconclusive(whole, sentence('The history has {0} messages; the check needs more than one.', count));
  // Whichever way the messages are ordered, the one that began the task is the oldest.
  const sent = begun.params['message'] ?? begun.params['request'];
  const [left] = messages(answer.result);
  if (isObject(sent) && left !== undefined && left[1]['messageId'] === sent['messageId'])
    return failed(
      answer,
      sentence('The history was cut to the oldest message; it should be cut to the most recent.'),
      `${answer.pointer}/history/${left[0]}`,
    );
  if (port.version !== '1.0') return found;
  return unlessLonger(found, await port.call('ListTasks', { ...(contextId !== undefined && { contextId }), historyLength: 1 }));
}

export const rule: Rule = {
  id: 'CORE-13',
  level: 'MUST',
  title: 'A history is no longer than historyLength',
  remedy: 'Cut the history to its last historyLength messages when answering.',
  clause: '3.2.4 History Length Semantics',
  clause0_3: '7.3.1 TaskQueryParams Object',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-HIST-002'],
  passive: {
    answer(view, note) {
      const wanted = wantedHistory(view);
      if (wanted === undefined || wanted === 0 || !isObject(view.result)) return;
      const check = (task: Fields, pointer: string): void => {
        const { history } = task;
        if (Array.isArray(history) && history.length > wanted)
          note(`${pointer}/history`, sentence('The history has {0} messages; at most {1} were requested.', history.length, wanted));
      };
      const found = answeredTask(view);
      if (found !== undefined) check(...found);
      if (view.operation === 'ListTasks')
        for (const [index, task] of objects(view.result['tasks'])) check(task, `${view.pointer}/tasks/${index}`);
    },
  },
  probe: {
    async run(port) {
      const configuration = { historyLength: 1 };
      const found = await withTask(port, 'task', (task, begun) => cut(port, task, begun));
      if (found.verdict === 'pass') {
        const message = fromUser({ parts: [...port.prompt('task')!] });
        return unlessLonger(found, await port.call('SendMessage', { message, configuration }));
      }
      if (found.verdict !== 'inconclusive' || port.prompt('input-required') === undefined) return found;
      // Of its own: others may have answered the one before.
      const begun = await port.make('input-required', 'another')!;
      const without = withoutTask(begun, 'input-required');
      if (without !== undefined) return without;
      const task = begun.task!;
      const { taskId, contextId } = task;
      const message = fromUser(contextId === undefined ? { taskId } : { taskId, contextId });
      const longer = judged('CORE-13', (await port.call('SendMessage', { message, configuration })).exchange);
      return longer.verdict === 'pass' ? cut(port, task, begun.answer) : longer;
    },
  },
};
