import { bindingNames } from '../../../protocol/card/checks/interfaces.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'The name of a custom binding is a URI',
  section: '5.8',
  versions: ['1.0'],
  passive: true,
  kit: [],
};

export const passive: PassiveCheck = {
  card(view, note) {
    noteFaults(view, note, bindingNames, isOneOf('binding'));
  },
};
