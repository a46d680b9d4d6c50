import { sentence } from '../../../protocol/problem.ts';
import { failed, inconclusive, isRefused, notTestable, passed, said, wantsCredentials } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessExtendedCard } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'EXTCARD-01',
  level: 'MUST',
  title: 'The extended card is only for signed-in callers',
  remedy: 'Put the extended card behind the same authentication as the other methods.',
  clause: '3.1.11 Get Extended Agent Card',
  clause0_3: '7.10 agent/getAuthenticatedExtendedCard',
  versions: ['1.0', '0.3'],
  kit: ['CARD-EXT-001'],
  probe: {
    unless: unlessExtendedCard,
    async run(port) {
      const anonymous = port.as('anonymous');
      if (anonymous === undefined) return notTestable(sentence('The agent cannot be asked without credentials.'));
      const answer = await anonymous.extendedCard();
      if (wantsCredentials(answer)) return passed(answer, sentence('It answered {0}, as it should.', said(answer)));
      return answer.error?.code === -32601 || answer.error?.code === -32009
        ? inconclusive(answer, sentence('It answered {0}, which says nothing about the rule.', said(answer)))
        : isRefused(answer)
          ? passed(answer, sentence('It answered {0}, as it should.', said(answer)))
          : failed(answer, sentence('It gave the extended card to a caller without credentials.'), answer.pointer);
    },
  },
};
