import { sentence } from '../../../protocol/problem.ts';
import { withTask } from '../rule/begun.ts';
import { expectRefusal, failed, isRefused } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { idOf } from './configured.ts';

/** A link-local address: clouds serve credentials there to any process inside. */
const privateUrl = 'http://169.254.169.254/';

export const rule: Rule = {
  id: 'PUSH-09',
  level: 'SHOULD',
  title: 'A webhook at a private address is refused',
  remedy: 'Resolve the host of a webhook and refuse private addresses, both when it is set and when it is used.',
  clause: '13.2 Push Notification Security',
  clause0_3: '10.2 Security Considerations Summary',
  versions: ['1.0', '0.3'],
  startsWork: true,
  registers: privateUrl,
  kit: [],
  probe: {
    unless: unlessNotifying,
    run: port =>
      withTask(port, 'task', async ({ taskId }) => {
        const id = crypto.randomUUID();
        const answer = await port.call('CreateTaskPushNotificationConfig', { taskId, id, url: privateUrl });
        if (isRefused(answer)) return expectRefusal(answer);
        // Agents may give it an id of their own.
        await port.call('DeleteTaskPushNotificationConfig', { taskId, id: idOf(answer.result) || id });
        return failed(answer, sentence('It accepted {0}; it should refuse.', privateUrl), answer.pointer);
      }),
  },
};
