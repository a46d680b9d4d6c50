import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'DATA-03',
  level: 'MUST',
  title: 'Each part has exactly one content member',
  remedy: 'Give each part one of text, raw, url and data; leave the others out instead of writing null.',
  clause: '4.1.6 Part',
  clause0_3: '6.5 Part Union Type',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: ['DM-PART-001'],
};
