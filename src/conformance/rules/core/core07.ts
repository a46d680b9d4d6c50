import { withTask, withoutTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectRefusal } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A message with a task and the context of another is refused',
  section: '3.4.3',
  versions: ['1.0'],
  active: true,
  startsWork: true,
  kit: ['CORE-MULTI-006'],
};

export const probe: Probe = {
  run: port =>
    withTask(port, 'input-required', async () => {
      // A task of its own: what is accepted by mistake would end one that others look at.
      const begun = await port.make('input-required', 'another');
      const lacking = withoutTask(begun!, 'input-required');
      if (lacking !== undefined) return lacking;
      const message = fromUser({ taskId: begun!.task!.taskId, contextId: crypto.randomUUID() });
      return expectRefusal(await port.call('SendMessage', { message }));
    }),
};
