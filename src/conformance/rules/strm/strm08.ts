import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'What replaces an artifact has as much in it',
  section: '4.2.2',
  section0_3: '7.2.3',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
