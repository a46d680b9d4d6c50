import { addresses } from '../../../protocol/card/checks/interfaces.ts';
import { noCredentials } from '../../../protocol/card/checks/security.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-16',
  level: 'SHOULD NOT',
  title: 'The card contains credentials',
  remedy: 'Remove the credential from the card, revoke it, and hand out a new one some other way.',
  clause: '14.3 Well-Known URI Registration',
  clause0_3: '5.4 Security of Agent Cards',
  versions: ['1.0', '0.3'],
  kit: [],
  passive: {
    card(view, note) {
      noteFaults(view, note, noCredentials, isOneOf('credential'));
      noteFaults(view, note, addresses, isOneOf('url-credential'));
    },
  },
};
