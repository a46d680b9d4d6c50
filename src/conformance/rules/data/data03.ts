import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Each part has exactly one content member',
  section: '4.1.6',
  section0_3: '6.5',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  kit: ['DM-PART-001'],
};
