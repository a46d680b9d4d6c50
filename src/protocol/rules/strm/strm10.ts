import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'A text is told under one artifactId, not again under another',
  section: '4.1.7',
  section0_3: '6.7',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: [],
  ofTool: true,
};
