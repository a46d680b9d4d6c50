import { sentence } from '../../../protocol/problem.ts';
import { noteErrorInfo } from '../rule/errorInfo.ts';
import { failed, grpcStatusesOf, inconclusive, passed, said } from '../rule/outcome.ts';
import type { ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'GRPC-02',
  level: 'MUST',
  title: 'An error has the gRPC status of the specification and an ErrorInfo',
  remedy: 'Map each error of A2A to its gRPC status, and attach an ErrorInfo to the details.',
  clause: '10.6 Error Handling',
  versions: ['1.0'],
  bindings: ['GRPC'],
  kit: ['GRPC-ERR-001', 'GRPC-ERR-002'],
  probe: {
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      const status = answer.headers.get('grpc-status') ?? '0';
      // OK, and what says nothing of the task: a method or a version that is not there, or who may ask.
      if (['0', '7', '8', '12', '14', '16'].includes(status) || answer.error?.code === -32009)
        return inconclusive(answer, sentence('It answered {0}, which says nothing about the rule.', said(answer)));
      const wanted = grpcStatusesOf(answer.error?.code ?? -32_001);
      if (!wanted.includes(Number(status)))
        return failed(answer, sentence('{0} should be {1}, not {2}.', 'grpc-status', wanted.join(' / '), status));
      let mistake: ProbeResult | undefined;
      const hasInfo = noteErrorInfo(
        answer.error?.value['details'],
        '/details',
        (pointer, what) => (mistake ??= failed(answer, what, pointer)),
        answer.error?.code ?? -32_001,
      );
      if (!hasInfo) return failed(answer, sentence('The error has no ErrorInfo among its details.'));
      return mistake ?? passed(answer, sentence('It answered {0}, as it should.', said(answer)));
    },
  },
};
