import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'Messages have no fields that the protocol version does not know',
  section: '10.3',
  section0_3: '3.2.2',
  versions: ['1.0', '0.3'],
  bindings: ['GRPC'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
