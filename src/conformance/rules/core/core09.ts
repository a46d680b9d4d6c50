import { isObject } from '../../../protocol/json.ts';
import { isActive, readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { withTask } from '../rule/begun.ts';
import { judged } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet } from '../rule/values.ts';
import { answeredTask } from '../rule/answeredTask.ts';

export const rule: Rule = {
  id: 'CORE-09',
  level: 'MUST',
  title: 'A blocking send returns when the task ends or waits',
  remedy: 'Answer a blocking send only when the task has ended or needs the client.',
  clause: '3.2.2 SendMessageConfiguration',
  clause0_3: '7.1.1 MessageSendParams Object',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-EXECUTION-MODE-001'],
  disputed: 'Section 3.1.1 allows an immediate answer; in section 3.2.2 a send blocks unless the request says otherwise.',
  passive: {
    answer(view, note) {
      const found = view.operation === 'SendMessage' ? answeredTask(view) : undefined;
      if (found === undefined) return;
      const { configuration } = view.params;
      const wanted = isObject(configuration) ? configuration : {};
      // 0.3 blocks only if the request asks for it; 1.0 unless the request asks for the opposite.
      const blocks =
        view.version === '1.0' ? wanted['returnImmediately'] !== true && wanted['blocking'] !== false : wanted['blocking'] === true;
      const [{ status }, pointer] = found;
      const state = isObject(status) ? status['state'] : undefined;
      const known = readTaskState(state);
      if (
        !blocks ||
        known === undefined ||
        known === 'TASK_STATE_UNSPECIFIED' ||
        !isActive(known) ||
        isSet(wanted['taskPushNotificationConfig'])
      )
        return;
      note(
        `${pointer}/status/state`,
        sentence('The send should block until the task ends or waits; it was answered with {0}.', quoted(state)),
        view.version === '1.0' ? { disputed: true } : undefined,
      );
    },
  },
  probe: {
    run: port => withTask(port, 'task', (_task, answer) => judged('CORE-09', answer.exchange)),
  },
};
