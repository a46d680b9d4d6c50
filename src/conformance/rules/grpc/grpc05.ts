import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A plain call is answered with one message',
  section: '10.3',
  section0_3: '3.2.2',
  versions: ['1.0', '0.3'],
  bindings: ['GRPC'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
