import { sentence } from '../../../protocol/problem.ts';
import { inconclusive, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { deliveryMs, withDeliveries } from './configured.ts';

export const rule: Rule = {
  id: 'PUSH-06',
  level: 'MUST',
  title: 'Push notifications carry the credentials of their configuration',
  remedy: 'Send the token and the credentials of the configuration with every notification.',
  clause: '4.3.3 Push Notification Payload',
  clause0_3: '6.9 PushNotificationAuthenticationInfo Object',
  versions: ['1.0', '0.3'],
  startsWork: true,
  needsReceiver: true,
  kit: ['PUSH-DELIVER-001'],
  probe: {
    unless: unlessNotifying,
    run: port =>
      withDeliveries(port, ({ deliveries, credentials }, answer) => {
        for (const { exchangeId, headers } of deliveries) {
          const value = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
          if (value !== `Bearer ${credentials}`)
            return {
              verdict: 'fail',
              why:
                value === undefined
                  ? sentence('The notification arrived without {0}.', 'Authorization')
                  : sentence('The notification arrived with another credential than that of its configuration.'),
              exchangeId,
            };
        }
        return deliveries.length === 0
          ? inconclusive(answer, sentence('No notification arrived within {0} seconds.', deliveryMs / 1000))
          : { ...passed(answer, sentence('{0} notifications arrived.', deliveries.length)), exchangeId: deliveries[0]!.exchangeId };
      }),
  },
};
