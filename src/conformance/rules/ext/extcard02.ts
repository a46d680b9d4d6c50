import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessNoExtendedCard } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'EXTCARD-02',
  level: 'MUST',
  title: 'Without an extended card, a request for it is refused',
  remedy: 'Answer with UnsupportedOperationError unless the card declares extendedAgentCard.',
  clause: '3.3.4 Capability Validation',
  clause0_3: '11.1.3 Optional Method Implementation',
  versions: ['1.0', '0.3'],
  kit: ['CORE-CAP-003'],
  probe: {
    unless: unlessNoExtendedCard,
    async run(port) {
      // 0.3 has no error for it but that the method or the card is not there.
      return expectError(await port.extendedCard(), port.version === '1.0' ? [-32004] : [-32007, -32601, -32004], 'evenLacking');
    },
  },
};
