import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'The answer has the media type of its binding',
  section: '9.1',
  section0_3: '3.2.1',
  versions: ['1.0', '0.3'],
  bindings: ['JSONRPC'],
  passive: true,
  whileReading: true,
  kit: ['JSONRPC-FMT-002', 'JSONRPC-SSE-001'],
};
