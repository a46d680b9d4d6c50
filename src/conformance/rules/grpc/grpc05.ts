import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'GRPC-05',
  level: 'MUST',
  title: 'A unary call is answered with one message',
  remedy: 'Answer unary calls with one message and status OK.',
  clause: '10.3 Service Definition',
  clause0_3: '3.2.2 gRPC Transport',
  versions: ['1.0', '0.3'],
  bindings: ['GRPC'],
  whileReading: true,
  kit: [],
};
