import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { withTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { compared, failed, said, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-06',
  level: 'MUST',
  title: "A message with only a taskId belongs to that task's context",
  remedy: "Use the task's context if the message names none.",
  clause: '3.4.3 Multi-Turn Conversation Patterns',
  versions: ['1.0'],
  startsWork: true,
  kit: ['CORE-MULTI-005'],
  probe: {
    run: port =>
      withTask(port, 'input-required', async ({ taskId, contextId }) => {
        const message = fromUser({ taskId });
        const answer = await port.call('SendMessage', { message });
        const refused = unlessResult(answer);
        if (refused !== undefined)
          return answer.error?.code === -32602
            ? failed(answer, sentence('It answered {0}; it should infer the context from the task.', said(answer)), answer.error.pointer)
            : refused;
        const result = isObject(answer.result) ? answer.result : {};
        const inner = [result['task'], result['message'], result].find(isObject) ?? {};
        return compared(answer, 'contextId', inner['contextId'], contextId);
      }),
  },
};
