import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-13',
  level: 'SHOULD',
  title: 'The card comes with Cache-Control: max-age',
  remedy: 'Send Cache-Control with a max-age, such as max-age=3600, with the card.',
  clause: '8.6.1 Server Requirements',
  versions: ['1.0'],
  kit: ['CARD-CACHE-001'],
  probe: {
    async run(port) {
      const answer = await port.get(port.cardUrl);
      const value = answer.headers.get('cache-control');
      return value !== undefined && /(?:^|[\s,])max-age="?\d+/i.test(value)
        ? passed(answer, sentence('{0} is {1}, as it should be.', 'Cache-Control', quoted(value)))
        : failed(answer, sentence('The card was served without {0}.', 'Cache-Control: max-age'));
    },
  },
};
