import { sentence } from '../../../protocol/problem.ts';
import { expectError, isRefused, notApplicable } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessExtendedCard } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'EXTCARD-03',
  level: 'MUST',
  title: 'A declared extended card that is not configured is refused with its own error',
  remedy: 'Configure the extended card that the card declares, or answer with ExtendedAgentCardNotConfiguredError.',
  clause: '3.3.4 Capability Validation',
  clause0_3: '8.2 A2A-Specific Errors',
  versions: ['1.0', '0.3'],
  kit: ['CARD-EXT-002'],
  probe: {
    unless: unlessExtendedCard,
    async run(port) {
      const answer = await port.extendedCard();
      return isRefused(answer)
        ? expectError(answer, [-32007], port.version === '1.0' ? 'promised' : undefined)
        : notApplicable(sentence('The agent has an extended card.'));
    },
  },
};
