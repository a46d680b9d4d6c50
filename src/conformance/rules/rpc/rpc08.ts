import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'RPC-08',
  level: 'MUST',
  title: 'An answer is to the request that was sent',
  remedy: 'Answer with the id of the request, as the same JSON type; do not share state between requests.',
  section: '9.1',
  section0_3: '6.11',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  whileReading: true,
  kit: [],
  ofTool: true,
};
