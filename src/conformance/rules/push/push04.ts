import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, inconclusive, isRefused, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { withConfiguration } from './configured.ts';

export const rule: Rule = {
  id: 'PUSH-04',
  level: 'MUST',
  title: 'A deleted push configuration stays deleted, and deleting it again succeeds',
  remedy: 'Let deleting succeed even if the configuration is already gone.',
  clause: '3.1.10 Delete Push Notification Config',
  clause0_3: '7.8 tasks/pushNotificationConfig/delete',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['PUSH-DEL-001', 'PUSH-DEL-002', 'PUSH-GET-002'],
  probe: {
    unless: unlessNotifying,
    run: port =>
      withConfiguration(port, async ({ taskId, id }) => {
        const deleted = await port.call('DeleteTaskPushNotificationConfig', { taskId, id });
        if (isRefused(deleted))
          return inconclusive(deleted, sentence('It answered {0}, which says nothing about the rule.', said(deleted)));
        const got = await port.call('GetTaskPushNotificationConfig', { taskId, id });
        if (!isRefused(got) && got.result !== undefined)
          return failed(got, sentence('The configuration {0} was deleted and is still there.', quoted(id)), got.pointer);
        if (port.version !== '1.0') return passed(got, sentence('It answered {0}, as it should.', said(got)));
        const again = await port.call('DeleteTaskPushNotificationConfig', { taskId, id });
        return isRefused(again)
          ? failed(
              again,
              sentence('It answered {0} when it was deleted again; that should have no effect.', said(again)),
              again.error?.pointer,
            )
          : passed(again, sentence('It answered {0}, as it should.', said(again)));
      }),
  },
};
