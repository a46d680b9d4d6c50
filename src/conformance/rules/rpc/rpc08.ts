import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'An answer is to the request that was sent',
  section: '9.1',
  section0_3: '6.11',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
