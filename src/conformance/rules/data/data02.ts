import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'DATA-02',
  level: 'MUST',
  title: 'Enum values match the protocol version',
  remedy:
    'Write enum values by the names of the requested version: TASK_STATE_COMPLETED in 1.0, completed in 0.3. Messages of the agent have the role of the agent.',
  clause: '5.5 JSON Field Naming Convention',
  clause0_3: '6.3 TaskState Enum',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: ['DM-SERIAL-002', 'DM-TASK-002', 'DM-MSG-002'],
};
