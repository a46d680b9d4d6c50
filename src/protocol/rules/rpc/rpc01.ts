import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
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

/** Of the envelope itself the reader tells; what an error has is JSON-RPC 2.0 §5.1. */
export const passive: PassiveCheck = {
  answer({ error }, note) {
    if (error === undefined) return;
    const { code, message } = error.value;
    if (!Number.isInteger(code))
      note(`${error.pointer}/code`, sentence('The code of the error should be an integer, not {0}.', quoted(code)));
    if (typeof message !== 'string')
      note(`${error.pointer}/message`, sentence('The message of the error should be text, not {0}.', quoted(message)));
  },
};
