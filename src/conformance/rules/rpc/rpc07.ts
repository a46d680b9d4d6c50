import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { noteErrorInfo } from '../rule/errorInfo.ts';
import { isRefused, judged, nothing } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

/** Errors of A2A; those of JSON-RPC itself have no ErrorInfo. */
const isOfA2A = (code: number): boolean => code <= -32_001 && code >= -32_099;

export const rule: Rule = {
  id: 'RPC-07',
  level: 'SHOULD',
  title: 'The data of an error is a list of objects with @type, including an ErrorInfo',
  remedy: 'Write data of errors as a list of objects with @type, including a google.rpc.ErrorInfo.',
  clause: '9.5 Error Handling',
  versions: ['1.0'],
  bindings: ['JSONRPC'],
  kit: ['JSONRPC-ERR-003', 'JSONRPC-ERR-001'],
  disputed: 'A2A 1.0.0 requires ErrorInfo in the data of an error; 1.0.1 only recommends it.',
  passive: {
    answer({ error }, note) {
      if (error === undefined) return;
      const { data, code } = error.value;
      if (data !== undefined && data !== null) {
        if (!Array.isArray(data)) {
          note(`${error.pointer}/data`, sentence('The data of the error should be a list of objects with @type, not {0}.', quoted(data)));
          return;
        }
        const bare = data.slice(0, 100).findIndex(detail => !isObject(detail) || typeof detail['@type'] !== 'string');
        if (bare !== -1) note(`${error.pointer}/data/${bare}`, sentence('This detail of the error has no @type.'));
      }
      const own = typeof code === 'number' && isOfA2A(code) ? code : undefined;
      const hasInfo = noteErrorInfo(data, `${error.pointer}/data`, note, own);
      if (!hasInfo && own !== undefined)
        note(`${error.pointer}`, sentence('The error has no ErrorInfo among its details.'), { disputed: true });
    },
  },
  probe: {
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      return isRefused(answer) ? judged('RPC-07', answer.exchange) : nothing(answer);
    },
  },
};
