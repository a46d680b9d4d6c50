import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Tasks, messages, artifacts and events have their required members',
  section: '4.1',
  section0_3: '6.1',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: ['DM-TASK-001', 'DM-MSG-001', 'DM-ART-001', 'DM-STATUS-001'],
};
