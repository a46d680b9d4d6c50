import { isObject } from '../../../protocol/json.ts';
import { readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { withTask } from '../rule/begun.ts';
import { judged } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

/** True for a status that asks for authorization without any words. */
function asksWithoutWords(status: unknown): boolean {
  if (!isObject(status) || readTaskState(status['state']) !== 'TASK_STATE_AUTH_REQUIRED') return false;
  const { message } = status;
  // In 0.3's protocol buffers a message has its parts in `content`.
  const parts = isObject(message) ? (message['parts'] ?? message['content']) : undefined;
  return !Array.isArray(parts) || parts.length === 0;
}

const silent = sentence('The task waits for authorization, and its status does not say for what.');

export const rule: Rule = {
  id: 'TASK-AUTH-01',
  level: 'MUST',
  title: 'A task that requires authorization says what it needs in its status',
  remedy: 'Say in the status message what is needed, and where to provide it.',
  clause: '7.6.1 In-Task Authorization Agent Responsibilities',
  clause0_3: '4.5 In-Task Authentication Secondary Credentials',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['AUTH-INTASK-001', 'AUTH-INTASK-002', 'AUTH-INTASK-003'],
  passive: {
    answer({ result, pointer }, note) {
      if (!isObject(result)) return;
      const [task, place] = isObject(result['task']) ? [result['task'], `${pointer}/task`] : [result, pointer];
      if (asksWithoutWords(task['status'])) note(`${place}/status`, silent);
    },
    event({ result, pointer }, note) {
      if (!isObject(result)) return;
      for (const name of ['task', 'statusUpdate']) {
        const inner = result[name];
        if (isObject(inner) && asksWithoutWords(inner['status'])) note(`${pointer}/${name}/status`, silent);
      }
      if (asksWithoutWords(result['status'])) note(`${pointer}/status`, silent);
    },
  },
  probe: {
    run: port => withTask(port, 'auth-required', (_task, answer) => judged('TASK-AUTH-01', answer.exchange)),
  },
};
