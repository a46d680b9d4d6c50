import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'RPC-02',
  level: 'MUST',
  title: 'The answer has the media type of its binding',
  remedy: 'Set Content-Type to application/json, and to text/event-stream for streams.',
  clause: '9.1 Protocol Requirements',
  clause0_3: '3.2.1 JSON-RPC 2.0 Transport',
  versions: ['1.0', '0.3'],
  bindings: ['JSONRPC'],
  whileReading: true,
  kit: ['JSONRPC-FMT-002', 'JSONRPC-SSE-001'],
};
