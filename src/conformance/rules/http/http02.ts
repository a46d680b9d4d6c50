import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'The answer has the media type of HTTP+JSON',
  section: '11.1',
  versions: ['1.0'],
  bindings: ['HTTP+JSON'],
  passive: true,
  whileReading: true,
  kit: ['HTTP_JSON-SVC-001'],
  disputed: 'A2A 1.0.0 and the official kit want application/json, 1.0.1 wants application/a2a+json.',
};
