import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-03',
  level: 'MUST',
  title: 'The card has every required member',
  remedy: 'Build the card with the types of an SDK, which require these members, or add the missing one by hand.',
  clause: '4.4.1 AgentCard',
  clause0_3: '5.5 AgentCard Object Structure',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: ['CARD-STRUCT-001'],
};
