import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'The data of an event is one JSON text in one line, and a blank line follows',
  section: '9.4.2',
  section0_3: '3.3.1',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
