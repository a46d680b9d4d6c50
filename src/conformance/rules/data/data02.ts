import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Enum values are written as their generation writes them',
  section: '5.5',
  section0_3: '6.3',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  kit: ['DM-SERIAL-002', 'DM-TASK-002', 'DM-MSG-002'],
};
