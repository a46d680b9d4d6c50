import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'PUSH-03',
  level: 'MUST',
  title: 'An unknown configuration is answered with TaskNotFoundError',
  remedy: 'Answer TaskNotFoundError for an unknown configuration or task.',
  clause: '3.1.8 Get Push Notification Config',
  clause0_3: '7.6 tasks/pushNotificationConfig/get',
  versions: ['1.0', '0.3'],
  kit: ['PUSH-GET-002'],
  probe: {
    unless: unlessNotifying,
    async run(port) {
      return expectError(
        await port.call('GetTaskPushNotificationConfig', { taskId: crypto.randomUUID(), id: crypto.randomUUID() }),
        [-32001],
        // In 0.3 each of these methods is optional.
        port.version === '1.0' ? 'promised' : undefined,
      );
    },
  },
};
