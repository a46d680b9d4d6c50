import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: "A task's history and its status tell the same message",
  section: '3.7',
  section0_3: '6.1',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
