import { addresses } from '../../../protocol/card/checks/interfaces.ts';
import { noCredentials } from '../../../protocol/card/checks/security.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'SHOULD NOT',
  title: 'The card has no credentials in it',
  section: '14.3',
  section0_3: '5.4',
  versions: ['1.0', '0.3'],
  passive: true,
  kit: [],
};

export const passive: PassiveCheck = {
  card(view, note) {
    noteFaults(view, note, noCredentials, isOneOf('credential'));
    noteFaults(view, note, addresses, isOneOf('url-credential'));
  },
};
