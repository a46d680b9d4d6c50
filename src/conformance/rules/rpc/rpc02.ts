import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'RPC-02',
  level: 'MUST',
  title: 'The answer has the media type of its binding',
  remedy: 'Set Content-Type to application/json, and to text/event-stream for streams.',
  section: '9.1',
  section0_3: '3.2.1',
  versions: ['1.0', '0.3'],
  bindings: ['JSONRPC'],
  whileReading: true,
  kit: ['JSONRPC-FMT-002', 'JSONRPC-SSE-001'],
};
