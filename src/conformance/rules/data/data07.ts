import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'DATA-07',
  level: 'SHOULD',
  title: "A task's history and its status have the same message",
  remedy: 'Append the message of the status to the history once, and do not change it there.',
  clause: '3.7 Messages and Artifacts',
  clause0_3: '6.1 Task Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
};
