import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'The card has every required member',
  section: '4.4.1',
  section0_3: '5.5',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: ['CARD-STRUCT-001'],
};
