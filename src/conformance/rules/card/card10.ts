import { bindingNames } from '../../../protocol/card/checks/interfaces.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-10',
  level: 'SHOULD',
  title: 'The name of a custom binding is a URI',
  remedy: 'Identify a custom binding by a URI that you control.',
  clause: '5.8 Custom Binding Identification',
  versions: ['1.0'],
  kit: [],
  passive: {
    card(view, note) {
      noteFaults(view, note, bindingNames, isOneOf('binding'));
    },
  },
};
