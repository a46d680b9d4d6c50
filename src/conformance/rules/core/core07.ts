import { withTask, withoutTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectRefusal } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-07',
  level: 'MUST',
  title: "A message with a task and another task's context is refused",
  remedy: "Compare the message's context with the task's, and refuse the message if they differ.",
  clause: '3.4.3 Multi-Turn Conversation Patterns',
  versions: ['1.0'],
  startsWork: true,
  kit: ['CORE-MULTI-006'],
  probe: {
    run: port =>
      withTask(port, 'input-required', async () => {
        // A task of its own: what is accepted by mistake would end one that others look at.
        const begun = await port.make('input-required', 'another');
        const lacking = withoutTask(begun!, 'input-required');
        if (lacking !== undefined) return lacking;
        const message = fromUser({ taskId: begun!.task!.taskId, contextId: crypto.randomUUID() });
        return expectRefusal(await port.call('SendMessage', { message }));
      }),
  },
};
