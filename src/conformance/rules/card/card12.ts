import { requiredSchemes } from '../../../protocol/card/checks/security.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-12',
  level: 'MUST',
  title: 'Every security scheme that is required is declared',
  remedy: 'Declare the scheme in securitySchemes under the name that the requirement uses.',
  clause: '7.3 Client Authentication Process',
  clause0_3: '5.5 AgentCard Object Structure',
  versions: ['1.0', '0.3'],
  kit: [],
  passive: {
    card(view, note) {
      noteFaults(view, note, requiredSchemes, isOneOf('undefined-scheme'));
    },
  },
};
