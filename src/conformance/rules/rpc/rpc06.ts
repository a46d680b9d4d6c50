import { errorNames } from '../../../protocol/errors.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, hasReason, nothing, passed, said } from '../rule/outcome.ts';
import type { ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

/** The range that JSON-RPC reserves, in which all codes of the specification are. */
const isReserved = (code: number): boolean => code >= -32_768 && code <= -32_000;

export const rule: Rule = {
  id: 'RPC-06',
  level: 'MUST',
  title: 'Errors of A2A have the codes of the specification',
  remedy: 'Map each error of A2A to its code in one place; a general handler often turns them all into -32603.',
  clause: '5.4 Error Code Mappings',
  clause0_3: '8.2 A2A-Specific Errors',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC'],
  kit: ['JSONRPC-SSE-002', 'JSONRPC-ERR-002'],
  probe: {
    async run(port) {
      const answers = [await port.call('GetTask', { id: crypto.randomUUID() }), await port.call('CancelTask', { id: crypto.randomUUID() })];
      let last: ProbeResult | undefined;
      for (const answer of answers) {
        const { error } = answer;
        if (error === undefined) {
          last ??= nothing(answer);
          continue;
        }
        const { code } = error.value;
        const means = hasReason(error.value) ? error.code : undefined;
        const isOwn = typeof code === 'number' && isReserved(code) && (errorNames[code] !== undefined || port.version !== '1.0');
        if (!isOwn || code === -32_000 || (means !== undefined && means !== code))
          return failed(
            answer,
            sentence('{0} should be {1}, not {2}.', 'code', String(means ?? -32_001), quoted(code)),
            `${error.pointer}/code`,
          );
        last = passed(answer, sentence('It answered {0}, as it should.', said(answer)));
      }
      return last!;
    },
  },
};
