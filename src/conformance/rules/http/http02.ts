import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'HTTP-02',
  level: 'SHOULD',
  title: 'The answer has the media type of HTTP+JSON',
  remedy: 'Set Content-Type to application/a2a+json, or application/json for older clients.',
  clause: '11.1 Protocol Requirements',
  versions: ['1.0'],
  bindings: ['HTTP+JSON'],
  whileReading: true,
  kit: ['HTTP_JSON-SVC-001'],
  disputed: 'A2A 1.0.0 and the official test kit require application/json; 1.0.1 requires application/a2a+json.',
};
