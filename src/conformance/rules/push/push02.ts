import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, passed, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNotifying } from '../rule/unless.ts';
import { unlessMoved } from '../rule/begun.ts';
import { withConfiguration } from './configured.ts';

export const rule: Rule = {
  id: 'PUSH-02',
  level: 'MUST',
  title: 'A created push configuration has an id and can be read back',
  remedy: 'Give each configuration an id if the client gave none, save it, and return what was saved.',
  clause: '3.1.7 Create Push Notification Config',
  clause0_3: '7.5 tasks/pushNotificationConfig/set',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['PUSH-CREATE-001', 'PUSH-CREATE-002', 'PUSH-GET-001', 'PUSH-LIST-001'],
  probe: {
    unless: unlessNotifying,
    run: port =>
      withConfiguration(port, async ({ taskId, state, id }, answer) => {
        if (port.version === '1.0' && isObject(answer.result) && isObject(answer.result['pushNotificationConfig']))
          return failed(
            answer,
            sentence('The configuration should be bare, not inside pushNotificationConfig as in A2A 0.3.'),
            `${answer.pointer}/pushNotificationConfig`,
          );
        if (id === '') return failed(answer, sentence('The configuration has no id.'), answer.pointer);
        const got = await port.call('GetTaskPushNotificationConfig', { taskId, id });
        // What is kept for a task may go with its end.
        if (got.error?.code === -32001)
          return (
            (await unlessMoved(port, { taskId, state })) ??
            failed(got, sentence('The configuration {0} could not be read back.', quoted(id)), got.error.pointer)
          );
        const listed = await port.call('ListTaskPushNotificationConfigs', { taskId });
        const refused = unlessResult(got) ?? unlessResult(listed);
        if (refused !== undefined) return refused;
        const configs = isObject(listed.result) ? listed.result['configs'] : undefined;
        if (port.version === '1.0' && !Array.isArray(configs))
          return failed(listed, sentence('{0} should be a list, not {1}.', 'configs', quoted(configs)), `${listed.pointer}/configs`);
        const text = JSON.stringify(listed.result ?? null);
        if (text.includes(JSON.stringify(id)) || text.includes(`/${id}"`))
          return passed(listed, sentence('The configuration {0} was read back.', quoted(id)));
        return (
          (await unlessMoved(port, { taskId, state })) ??
          failed(listed, sentence('The configuration {0} is not in the list.', quoted(id)), listed.pointer)
        );
      }),
  },
};
