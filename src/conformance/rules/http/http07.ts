import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'HTTP-07',
  level: 'MUST',
  title: 'A result has a success HTTP status',
  remedy: 'Set a status of 2xx with results, and of 4xx or 5xx with errors only.',
  clause: '5.4 Error Code Mappings',
  clause0_3: '8.2 A2A-Specific Errors',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
};
