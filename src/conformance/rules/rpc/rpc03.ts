import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, nothing, passed, said } from '../rule/outcome.ts';
import type { ProbeAnswer, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'RPC-03',
  level: 'MUST',
  title: 'The methods have the names of the specification',
  remedy: 'Register the methods by the names of the protocol version.',
  clause: '9.1 Protocol Requirements',
  clause0_3: '3.5.1 JSON-RPC Method Naming',
  versions: ['1.0', '0.3'],
  bindings: ['JSONRPC'],
  kit: ['JSONRPC-SVC-001'],
  disputed: 'Section 9.3 writes methods as category/action; section 9.1 and the list of methods write them in PascalCase.',
  probe: {
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      const { error } = answer;
      if (error?.code === -32601) {
        const method = port.version === '1.0' ? 'GetTask' : 'tasks/get';
        return failed(answer, sentence('It answered {0}; it should support the method {1}.', said(answer), method), error.pointer);
      }
      return unlessKnown(answer) ?? passed(answer, sentence('It answered {0}, as it should.', said(answer)));
    },
  },
};

/** An answer that is no response of JSON-RPC says nothing of methods. */
const unlessKnown = (answer: ProbeAnswer): ProbeResult | undefined =>
  isObject(answer.json) && ('result' in answer.json || answer.error !== undefined) && answer.error?.code !== -32009
    ? undefined
    : nothing(answer);
