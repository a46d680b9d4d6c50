import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, passed } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'The card comes with Cache-Control: max-age',
  section: '8.6.1',
  versions: ['1.0'],
  passive: true,
  active: true,
  kit: ['CARD-CACHE-001'],
};

export const probe: Probe = {
  async run(port) {
    const answer = await port.get(port.cardUrl);
    const value = answer.headers.get('cache-control');
    return value !== undefined && /(?:^|[\s,])max-age="?\d+/i.test(value)
      ? passed(answer, sentence('{0} is {1}, as it should be.', 'Cache-Control', quoted(value)))
      : failed(answer, sentence('The card came without {0}.', 'Cache-Control: max-age'));
  },
};
