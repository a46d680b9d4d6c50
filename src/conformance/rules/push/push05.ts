import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { inconclusive, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { isSet } from '../rule/values.ts';
import { deliveryMs, withDeliveries } from './configured.ts';

export const rule: Rule = {
  id: 'PUSH-05',
  level: 'MUST',
  title: 'A notification is exactly one of task, message, statusUpdate and artifactUpdate',
  remedy: 'Send the same object as in a stream, such as { "statusUpdate": … }, without an envelope.',
  clause: '4.3.3 Push Notification Payload',
  versions: ['1.0'],
  whileReading: true,
  startsWork: true,
  needsReceiver: true,
  kit: ['PUSH-DELIVER-003'],
  probe: {
    unless: unlessNotifying,
    run: port =>
      withDeliveries(port, ({ deliveries }, answer) => {
        for (const { exchangeId, json } of deliveries) {
          if (isObject(json) && 'jsonrpc' in json)
            return {
              verdict: 'fail',
              why: sentence('A notification should be bare, not inside a JSON-RPC message.'),
              exchangeId,
              pointer: '',
            };
          const held = isObject(json) ? ['task', 'message', 'statusUpdate', 'artifactUpdate'].filter(name => isSet(json[name])) : [];
          if (held.length !== 1)
            return {
              verdict: 'fail',
              why: sentence(
                'A notification should hold exactly one of task, message, statusUpdate, artifactUpdate; it holds {0}.',
                held.length,
              ),
              exchangeId,
              pointer: '',
            };
        }
        return deliveries.length === 0
          ? inconclusive(answer, sentence('No notification arrived within {0} seconds.', deliveryMs / 1000))
          : { ...passed(answer, sentence('{0} notifications arrived.', deliveries.length)), exchangeId: deliveries[0]!.exchangeId };
      }),
  },
};
