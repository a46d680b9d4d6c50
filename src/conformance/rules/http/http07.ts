import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A result comes with an HTTP status of success',
  section: '5.4',
  section0_3: '8.2',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
