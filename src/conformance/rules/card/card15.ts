import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Names of members are camelCase',
  section: '5.5',
  section0_3: '11.1.5',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  kit: ['DM-SERIAL-001'],
};
