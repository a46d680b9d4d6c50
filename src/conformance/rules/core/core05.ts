import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { withTask } from '../rule/begun.ts';
import { failed, judged } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { answeredTask } from '../rule/answeredTask.ts';

const noContextId = sentence('The task has no contextId, so its context cannot be continued.');

export const rule: Rule = {
  id: 'CORE-05',
  level: 'MUST',
  title: 'The answer includes the id of a context that the agent created',
  remedy: 'Return the contextId that the server generated with the task or the message.',
  clause: '3.4.1 Context Identifier Semantics',
  clause0_3: '6.1 Task Object',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['CORE-MULTI-001a'],
  disputed:
    'Section 3.4.1 allows an agent without contexts, and the protocol buffers make contextId optional; one that the agent generates must be returned.',
  passive: {
    answer(view, note) {
      const found = view.version === '1.0' && view.operation === 'SendMessage' ? answeredTask(view) : undefined;
      if (found === undefined) return;
      const [{ contextId }, pointer] = found;
      if (contextId === undefined || contextId === null || contextId === '') note(pointer, noContextId, { disputed: true });
    },
  },
  probe: {
    run: port =>
      withTask(port, 'task', async ({ taskId, contextId }, answer) => {
        if (contextId !== undefined && contextId !== '') return judged('CORE-05', answer.exchange);
        // In 0.3 every task has one; in 1.0 only one that the agent made is required.
        const { result } = await port.call('GetTask', { id: taskId });
        const made = isObject(result) ? result['contextId'] : undefined;
        return port.version !== '1.0' || (typeof made === 'string' && made !== '')
          ? failed(answer, noContextId, answer.pointer)
          : { ...failed(answer, noContextId, answer.pointer), verdict: 'disputed' };
      }),
  },
};
