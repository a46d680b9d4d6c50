import { sentence } from '../../../protocol/problem.ts';
import { failed, hasReason, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'GRPC-01',
  level: 'MUST',
  title: 'The service is lf.a2a.v1.A2AService',
  remedy: 'Register the service with the package and the name of the published protocol buffers.',
  clause: '10.1 Protocol Requirements',
  clause0_3: '3.2.2 gRPC Transport',
  versions: ['1.0', '0.3'],
  bindings: ['GRPC'],
  kit: ['GRPC-SVC-001', 'GRPC-SVC-002', 'GRPC-ERR-003'],
  probe: {
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      const service = port.version === '1.0' ? 'lf.a2a.v1.A2AService' : 'a2a.v1.A2AService';
      return answer.headers.get('grpc-status') === '12' && !hasReason(answer.error?.value)
        ? failed(answer, sentence('It does not have {0}.', `${service}/GetTask`))
        : passed(answer, sentence('It answered {0}, as it should.', said(answer)));
    },
  },
};
