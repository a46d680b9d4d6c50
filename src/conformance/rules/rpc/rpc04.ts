import { sentence } from '../../../protocol/problem.ts';
import { expectError } from '../rule/outcome.ts';
import type { ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'RPC-04',
  level: 'MUST',
  title: 'An unknown method is answered with error -32601',
  remedy: 'Let the dispatcher answer -32601 for unknown methods, with HTTP 200.',
  clause: '9.5 Error Handling',
  clause0_3: '8.1 Standard JSON-RPC Errors',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  kit: [],
  probe: {
    mustRefuse: true,
    async run(port): Promise<ProbeResult> {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'NoSuchMethodOfA2A', params: {} });
      const answer = await port.raw({ method: 'POST', path: '', body });
      return answer === undefined
        ? { verdict: 'not-applicable', why: sentence('The rule is about JSON-RPC.') }
        : expectError(answer, [-32601]);
    },
  },
};
