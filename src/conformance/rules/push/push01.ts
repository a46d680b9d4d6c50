import { expectError, whole } from '../rule/outcome.ts';
import type { ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotNotifying } from '../rule/unless.ts';
import { nowhere } from './configured.ts';

export const rule: Rule = {
  id: 'PUSH-01',
  level: 'MUST',
  title: 'Without push notifications, their methods are refused with PushNotificationNotSupportedError',
  remedy: 'Check the capability first, and answer PushNotificationNotSupportedError for all four methods.',
  clause: '3.3.4 Capability Validation',
  clause0_3: '11.1.3 Optional Method Implementation',
  versions: ['1.0', '0.3'],
  kit: ['CORE-CAP-001'],
  probe: {
    unless: unlessNotNotifying,
    async run(port): Promise<ProbeResult> {
      const taskId = crypto.randomUUID();
      const id = 'no-such-configuration';
      const answers = [
        await port.call('CreateTaskPushNotificationConfig', { taskId, id, url: nowhere }),
        await port.call('GetTaskPushNotificationConfig', { taskId, id }),
        await port.call('ListTaskPushNotificationConfigs', { taskId }),
        await port.call('DeleteTaskPushNotificationConfig', { taskId, id }),
      ];
      return whole(answers.map(answer => expectError(answer, [-32003], 'evenLacking')));
    },
  },
};
