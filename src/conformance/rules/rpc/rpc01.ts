import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: "JSON-RPC envelope: version 2.0, the request's id, one of result and error; an error has a code and a message",
  section: '9.1',
  section0_3: '6.11',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  passive: true,
  whileReading: true,
  kit: ['JSONRPC-FMT-001', 'JSONRPC-ERR-001', 'CORE-ERR-001'],
};
