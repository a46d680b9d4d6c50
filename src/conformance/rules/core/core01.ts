import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { unknownPrompt } from '../rule/begun.ts';
import { failed, judged, notTestable, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet } from '../rule/values.ts';

export const rule: Rule = {
  id: 'CORE-01',
  level: 'MUST',
  title: 'A send is answered with exactly one of task and message',
  remedy: 'Wrap the answer in task or in message, and never in both.',
  clause: '3.1.1 Send Message',
  clause0_3: '7.1 message/send',
  versions: ['1.0', '0.3'],
  whileReading: true,
  startsWork: true,
  kit: ['CORE-SEND-001'],
  probe: {
    async run(port) {
      const begun = await port.make('task');
      if (begun === undefined) return notTestable(unknownPrompt('task'));
      const { answer } = begun;
      const refused = unlessResult(answer);
      if (refused !== undefined) return refused;
      const { result, version, binding } = answer;
      const members = isObject(result) ? result : {};
      if (version === '1.0') {
        const held = ['task', 'message'].filter(name => isSet(members[name]));
        if (held.length !== 1)
          return failed(answer, sentence('The answer should have one of task and message; it has {0}.', held.length), answer.pointer);
      } else if (binding === 'JSONRPC' && members['kind'] !== 'task' && members['kind'] !== 'message')
        return failed(answer, sentence('{0} should be {1}, not {2}.', 'kind', 'task / message', quoted(members['kind'])), answer.pointer);
      return judged('CORE-01', answer.exchange);
    },
  },
};
