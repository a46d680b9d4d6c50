import { sentence } from '../../../protocol/problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { methodName } from '../rule/methodName.ts';
import { failed, hasReason, isAside, isNeither, nothing, passed, said, unanswered, whole } from '../rule/outcome.ts';
import type { ProbeAnswer, ProbeResult } from '../rule/probe.ts';
import type { Rule, RuleVersion } from '../rule/rule.ts';

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
      const id = (): { readonly id: string } => ({ id: crypto.randomUUID() });
      const asked = [
        ['GetTask', () => port.call('GetTask', id())],
        ['SendMessage', () => port.call('SendMessage', { message: fromUser({ taskId: crypto.randomUUID() }) })],
        ['CancelTask', () => port.call('CancelTask', id())],
        ...(port.version === '1.0' ? ([['ListTasks', () => port.call('ListTasks', { pageSize: 1 })]] as const) : []),
      ] as const;
      const parts: ProbeResult[] = [];
      for (const [operation, ask] of asked) {
        try {
          parts.push(supports(await ask(), operation, port.version));
        } catch (error) {
          if (port.signal.aborted) throw error;
          parts.push(unanswered(error));
        }
      }
      return whole(parts);
    },
  },
};

/** The operations that every agent has (A2A 0.3 §11.1.2). */
const basic = ['SendMessage', 'GetTask', 'CancelTask'] as const;

function supports(answer: ProbeAnswer, operation: string, version: RuleVersion): ProbeResult {
  const { binding, status, json, error, headers } = answer;
  // Without a word, 404 is about the path in 1.0; of GetTask's says HTTP-01. In 0.3 it may be about the task.
  const ofPaths = version === '1.0' && operation !== 'GetTask' ? [404, 405, 501] : [405, 501];
  const isLacking =
    binding === 'GRPC'
      ? headers.get('grpc-status') === '12' && !hasReason(error?.value)
      : error?.code === -32601 || (binding === 'HTTP+JSON' && json === undefined && ofPaths.includes(status));
  if (isLacking)
    return failed(
      answer,
      sentence('It answered {0}; it should support the method {1}.', said(answer), methodName(operation, answer)),
      error?.pointer,
    );
  return isAside(answer) || isNeither(answer)
    ? nothing(answer)
    : passed(answer, sentence('It has {0}, {1} and {2}.', ...basic.map(name => methodName(name, answer))));
}
