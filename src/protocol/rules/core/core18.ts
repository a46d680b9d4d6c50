import { sentence } from '../../problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { failed, isAside, nothing, passed, said } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Sending, getting and canceling are implemented',
  section: '3.1',
  section0_3: '11.1.2',
  versions: ['0.3'],
  active: true,
  kit: [],
};

export const probe: Probe = {
  async run(port) {
    const message = fromUser({ taskId: crypto.randomUUID() });
    const answers = [
      ['SendMessage', await port.call('SendMessage', { message })],
      ['GetTask', await port.call('GetTask', { id: crypto.randomUUID() })],
      ['CancelTask', await port.call('CancelTask', { id: crypto.randomUUID() })],
    ] as const;
    for (const [operation, answer] of answers) {
      const { binding, status, json, error, headers } = answer;
      const isLacking =
        binding === 'GRPC'
          ? headers.get('grpc-status') === '12'
          : error?.code === -32601 || (binding === 'HTTP+JSON' && json === undefined && [405, 501].includes(status));
      if (isLacking)
        return failed(answer, sentence('It answered {0}; it should know the method {1}.', said(answer), operation), error?.pointer);
      if (isAside(answer)) return nothing(answer);
    }
    return passed(answers[1][1], sentence('It has SendMessage, GetTask and CancelTask.'));
  },
};
