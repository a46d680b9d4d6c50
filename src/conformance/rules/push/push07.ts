import { isActive, readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { reportedId, reportedState } from '../rule/reportedState.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { deliveryMs, withDeliveries } from './configured.ts';

export const rule: Rule = {
  id: 'PUSH-07',
  level: 'MUST',
  title: 'Each update is sent to each webhook at least once',
  remedy: 'Send each update to each webhook, and retry with increasing delays if one fails.',
  clause: '4.3.3 Push Notification Payload',
  versions: ['1.0'],
  startsWork: true,
  needsReceiver: true,
  kit: ['PUSH-DELIVER-002', 'PUSH-DELIVER-001'],
  probe: {
    unless: unlessNotifying,
    run: port =>
      withDeliveries(port, ({ deliveries: all, taskId, state }, answer) => {
        const deliveries = all.filter(({ event }) => taskId === undefined || (reportedId(event, 'taskId') ?? taskId) === taskId);
        if (deliveries.length === 0 && all.length > 0)
          return failed(answer, sentence('{0} notifications arrived, but none is about the task.', all.length));
        if (deliveries.length === 0) return failed(answer, sentence('No notification arrived within {0} seconds.', deliveryMs / 1000));
        const told = deliveries.find(({ event }) => readTaskState(reportedState(event)) === state);
        // A state that is not the last may be the one that the task began with, which is no update.
        return told !== undefined || state === undefined || isActive(state)
          ? {
              ...passed(answer, sentence('{0} notifications arrived.', deliveries.length)),
              exchangeId: (told ?? deliveries[0]!).exchangeId,
            }
          : failed(answer, sentence('{0} notifications arrived, but none with the state {1}.', deliveries.length, state));
      }),
  },
};
