import { sentence } from '../../../protocol/problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { failed, hasReason, isAside, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-18',
  level: 'MUST',
  title: 'The basic operations are implemented',
  remedy: 'Implement SendMessage, GetTask, CancelTask and, in A2A 1.0, ListTasks; canceling may answer TaskNotCancelableError.',
  clause: '3.1 Core Operations',
  clause0_3: '11.1.2 Core Method Implementation',
  versions: ['1.0', '0.3'],
  kit: ['CORE-SEND-001', 'CORE-LIST-001', 'GRPC-SVC-001'],
  probe: {
    async run(port) {
      const message = fromUser({ taskId: crypto.randomUUID() });
      const answers = [
        ['SendMessage', await port.call('SendMessage', { message })],
        ['GetTask', await port.call('GetTask', { id: crypto.randomUUID() })],
        ['CancelTask', await port.call('CancelTask', { id: crypto.randomUUID() })],
        ...(port.version === '1.0' ? ([['ListTasks', await port.call('ListTasks', { pageSize: 1 })]] as const) : []),
      ] as const;
      for (const [operation, answer] of answers) {
        const { binding, status, json, error, headers } = answer;
        // Without a word, 404 is about the path in 1.0; of GetTask's says HTTP-01. In 0.3 it may be about the task.
        const ofPaths = port.version === '1.0' && operation !== 'GetTask' ? [404, 405, 501] : [405, 501];
        const isLacking =
          binding === 'GRPC'
            ? headers.get('grpc-status') === '12' && !hasReason(error?.value)
            : error?.code === -32601 || (binding === 'HTTP+JSON' && json === undefined && ofPaths.includes(status));
        if (isLacking)
          return failed(answer, sentence('It answered {0}; it should support the method {1}.', said(answer), operation), error?.pointer);
        if (isAside(answer)) return nothing(answer);
      }
      return passed(answers[1][1], sentence('It has SendMessage, GetTask and CancelTask.'));
    },
  },
};
