import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Timestamps are ISO 8601 in UTC',
  section: '5.6.1',
  section0_3: '6.2',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  kit: ['DM-SERIAL-003'],
};
