import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'STRM-11',
  level: 'MUST',
  title: 'A task has one end, and no error comes after it',
  remedy: 'Set the terminal state of a task once, and guard the store against later changes.',
  clause: '3.1.2 Send Streaming Message',
  clause0_3: '7.2.2 TaskStatusUpdateEvent Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
  ofTool: true,
};
