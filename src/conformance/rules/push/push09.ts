import { sentence } from '../../../protocol/problem.ts';
import { withTask } from '../rule/begun.ts';
import { expectRefusal, failed, isRefused } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { idOf } from './configured.ts';

/** A link-local address: the one at which clouds give credentials to whoever asks from inside. */
const privateUrl = 'http://169.254.169.254/';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'A webhook at a private address is refused',
  section: '13.2',
  section0_3: '10.2',
  versions: ['1.0', '0.3'],
  active: true,
  startsWork: true,
  registers: privateUrl,
  kit: [],
};

export const probe: Probe = {
  unless: unlessNotifying,
  run: port =>
    withTask(port, 'task', async ({ taskId }) => {
      const id = crypto.randomUUID();
      const answer = await port.call('CreateTaskPushNotificationConfig', { taskId, id, url: privateUrl });
      if (isRefused(answer)) return expectRefusal(answer);
      // Agents may give it an id of their own.
      await port.call('DeleteTaskPushNotificationConfig', { taskId, id: idOf(answer.result) || id });
      return failed(answer, sentence('It took {0}; it should refuse.', privateUrl), answer.pointer);
    }),
};
