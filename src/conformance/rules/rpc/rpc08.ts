import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'RPC-08',
  level: 'MUST',
  title: 'An answer is to the request that was sent',
  remedy: 'Answer with the id of the request, as the same JSON type; do not share state between requests.',
  clause: '9.1 Protocol Requirements',
  clause0_3: '6.11 JSON-RPC Structures',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  whileReading: true,
  kit: [],
};
