import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'DATA-09',
  level: 'tool',
  title: 'Timestamps are not in the future',
  remedy: 'Set the clock of the server, and convert local time to UTC instead of appending a Z.',
  clause: '5.6.1 Timestamps',
  clause0_3: '6.2 TaskStatus Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
};
