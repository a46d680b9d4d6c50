import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'protocolVersion has no patch number',
  section: '3.6',
  versions: ['1.0'],
  passive: true,
  kit: ['VER-CLIENT-002'],
};

export const passive: PassiveCheck = {
  card({ card }, note) {
    for (const [index, { protocolVersion }] of objects(card['supportedInterfaces'])) {
      if (typeof protocolVersion === 'string' && /^\d+\.\d+\.\d/.test(protocolVersion))
        note(
          `/supportedInterfaces/${index}/protocolVersion`,
          sentence('{0} should be major and minor number alone.', quoted(protocolVersion)),
        );
    }
  },
};
