import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Events carry taskId and contextId',
  section: '4.2',
  section0_3: '7.2.2',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  kit: [],
};
