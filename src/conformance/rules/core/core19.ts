import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-19',
  level: 'MUST',
  title: 'What is answered about a task is about the one that was asked for',
  remedy: 'Answer with the task that was asked for; look for state that requests share.',
  section: '3.1.3',
  section0_3: '7.3',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
  ofTool: true,
};
