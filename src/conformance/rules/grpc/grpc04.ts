import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'GRPC-04',
  level: 'tool',
  title: 'Messages have only fields of their protocol version',
  remedy: 'Generate the server code from the protocol buffers of this version.',
  clause: '10.3 Service Definition',
  clause0_3: '3.2.2 gRPC Transport',
  versions: ['1.0', '0.3'],
  bindings: ['GRPC'],
  whileReading: true,
  kit: [],
};
