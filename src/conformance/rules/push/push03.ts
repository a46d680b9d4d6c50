import { expectError } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'An unknown configuration is answered with TaskNotFoundError',
  section: '3.1.8',
  section0_3: '7.6',
  versions: ['1.0', '0.3'],
  active: true,
  kit: ['PUSH-GET-002'],
};

export const probe: Probe = {
  unless: unlessNotifying,
  async run(port) {
    return expectError(
      await port.call('GetTaskPushNotificationConfig', { taskId: crypto.randomUUID(), id: crypto.randomUUID() }),
      [-32001],
    );
  },
};
