import { sentence } from '../../../protocol/problem.ts';
import { expectError, notApplicable, whole, type Lacking } from '../rule/outcome.ts';
import type { ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

/** A body each, and the errors that it may be answered with: what is not JSON, what is no request, and parameters that are none. */
const malformed = (method: string): readonly (readonly [body: string, codes: readonly number[], lacking?: Lacking])[] => [
  ['{"jsonrpc": "2.0", "id": 1, "method": ', [-32700], 'evenLacking'],
  [JSON.stringify({ id: 1, jsonrpc: '2.0' }), [-32600], 'evenLacking'],
  [JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }), [-32602]],
];

export const rule: Rule = {
  id: 'RPC-05',
  level: 'MUST',
  title: 'Malformed requests are answered with -32700, -32600 and -32602',
  remedy:
    'Answer -32700 for a body that is not JSON, -32600 for one that is not a request and -32602 for wrong parameters, before the handler runs.',
  clause: '9.5 Error Handling',
  clause0_3: '8.1 Standard JSON-RPC Errors',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  kit: ['JSONRPC-ERR-001'],
  probe: {
    mustRefuse: true,
    async run(port): Promise<ProbeResult> {
      const parts: ProbeResult[] = [];
      for (const [body, codes, lacking] of malformed(port.version === '1.0' ? 'GetTask' : 'tasks/get')) {
        const answer = await port.raw({ method: 'POST', path: '', body });
        if (answer === undefined) return notApplicable(sentence('The rule is about JSON-RPC.'));
        parts.push(expectError(answer, codes, lacking));
      }
      return whole(parts);
    },
  },
};
