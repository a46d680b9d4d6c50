import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'DATA-04',
  level: 'MUST',
  title: 'Timestamps are ISO 8601 in UTC',
  remedy: 'Write timestamps in UTC with a Z at their end, such as 2025-01-31T12:00:00.000Z.',
  clause: '5.6.1 Timestamps',
  clause0_3: '6.2 TaskStatus Object',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: ['DM-SERIAL-003'],
};
