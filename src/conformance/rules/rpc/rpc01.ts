import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'RPC-01',
  level: 'MUST',
  title: "JSON-RPC envelope: version 2.0, the request's id, one of result and error; an error has a code and a message",
  remedy: "Let a JSON-RPC library write the envelope: jsonrpc 2.0, the request's id unchanged, and one of result and error.",
  clause: '9.1 Protocol Requirements',
  clause0_3: '6.11 JSON-RPC Structures',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  whileReading: true,
  kit: ['JSONRPC-FMT-001', 'JSONRPC-ERR-001', 'CORE-ERR-001'],
};
