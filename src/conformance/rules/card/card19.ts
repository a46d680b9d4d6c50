import { addresses } from '../../../protocol/card/checks/interfaces.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-19',
  level: 'tool',
  title: 'The address of an interface is not that of a card or of one operation',
  remedy: 'Write the address that the paths and methods of the binding begin at, without the path of an operation or of the card.',
  clause: '4.4.6 AgentInterface',
  clause0_3: '5.5.5 AgentInterface Object',
  versions: ['1.0', '0.3'],
  kit: [],
  ofTool: true,
  passive: {
    card(view, note) {
      noteFaults(view, note, addresses, isOneOf('url-of-card', 'url-of-operation'));
    },
  },
};
