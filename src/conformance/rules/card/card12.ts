import { requiredSchemes } from '../../../protocol/card/checks/security.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Every security scheme that is required is declared',
  section: '7.3',
  section0_3: '5.5',
  versions: ['1.0', '0.3'],
  passive: true,
  kit: [],
  ofTool: true,
};

export const passive: PassiveCheck = {
  card(view, note) {
    noteFaults(view, note, requiredSchemes, isOneOf('undefined-scheme'));
  },
};
