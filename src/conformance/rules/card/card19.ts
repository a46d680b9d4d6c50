import { addresses } from '../../../protocol/card/checks/interfaces.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'The address of an interface is not that of a card or of one operation',
  section: '4.4.6',
  section0_3: '5.5.5',
  versions: ['1.0', '0.3'],
  passive: true,
  kit: [],
  ofTool: true,
};

export const passive: PassiveCheck = {
  card(view, note) {
    noteFaults(view, note, addresses, isOneOf('url-of-card', 'url-of-operation'));
  },
};
