import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-19',
  level: 'MUST',
  title: 'Answers about a task are about the requested task',
  remedy: 'Answer with the requested task; look for state that requests share.',
  clause: '3.1.3 Get Task',
  clause0_3: '7.3 tasks/get',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
  ofTool: true,
};
