import { addresses } from '../../../protocol/card/checks/interfaces.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-19',
  level: 'tool',
  title: "An interface's address is not the address of a card or of an operation",
  remedy: 'Write the base address of the binding, without the path of an operation or of the card.',
  clause: '4.4.6 AgentInterface',
  clause0_3: '5.5.5 AgentInterface Object',
  versions: ['1.0', '0.3'],
  kit: [],
  passive: {
    card(view, note) {
      noteFaults(view, note, addresses, isOneOf('url-of-card', 'url-of-operation'));
    },
  },
};
