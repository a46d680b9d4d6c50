import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { judged, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { objects } from '../rule/values.ts';
import { withConfiguration } from './configured.ts';

/** A masked value counts as well: the mask stands where the agent repeated the secret. */
const hasCredentials = (value: unknown): boolean =>
  isObject(value) && typeof value['credentials'] === 'string' && value['credentials'] !== '';

export const rule: Rule = {
  id: 'PUSH-08',
  level: 'SHOULD',
  title: 'Push credentials are not echoed back',
  remedy: 'Leave token and credentials out of answers about configurations.',
  clause: '13.2 Push Notification Security',
  clause0_3: '10.2 Security Considerations Summary',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: [],
  passive: {
    answer({ operation, result, pointer }, note) {
      if ((operation !== 'GetTaskPushNotificationConfig' && operation !== 'ListTaskPushNotificationConfigs') || !isObject(result)) return;
      const check = (config: Readonly<Record<string, unknown>>, at: string): void => {
        const { pushNotificationConfig: nested } = config;
        const [inner, place] = isObject(nested) ? [nested, `${at}/pushNotificationConfig`] : [config, at];
        if (hasCredentials(inner['authentication']))
          note(`${place}/authentication/credentials`, sentence('The credentials of the configuration are echoed back.'));
      };
      check(result, pointer);
      for (const [index, config] of objects(result['configs'])) check(config, `${pointer}/configs/${index}`);
    },
  },
  probe: {
    unless: unlessNotifying,
    run: port =>
      withConfiguration(port, async ({ taskId, id }) => {
        const got = await port.call('GetTaskPushNotificationConfig', { taskId, id });
        return unlessResult(got) ?? judged('PUSH-08', got.exchange);
      }),
  },
};
