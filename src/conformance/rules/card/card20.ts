import { emptyMembers } from '../../../protocol/card/checks/emptiness.ts';
import { bindingNames, distinct, statedVersion, streaming } from '../../../protocol/card/checks/interfaces.ts';
import { misspeltMembers } from '../../../protocol/card/checks/memberNames.ts';
import { examples } from '../../../protocol/card/checks/skills.ts';
import { extensionUris, movedMembers, oldSecurity } from '../../../protocol/card/checks/spelling.ts';
import { noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

const checks = [
  misspeltMembers,
  oldSecurity,
  movedMembers,
  statedVersion,
  distinct,
  streaming,
  extensionUris,
  examples,
  emptyMembers,
  bindingNames,
];
/** Codes of these checks that another rule tells. */
const others: ReadonlySet<string> = new Set(['conflicting-transports', 'empty-list']);

export const rule: Rule = {
  id: 'CARD-20',
  level: 'tool',
  title: 'The card has only members that clients read, and they agree with each other',
  remedy: 'Correct it or remove it from the card: clients ignore it, or misread the card.',
  clause: '4.4.1 AgentCard',
  clause0_3: '5.5 AgentCard Object Structure',
  versions: ['1.0', '0.3'],
  kit: [],
  passive: {
    card(view, note) {
      for (const check of checks) {
        // CARD-10 is about the names of bindings in 1.0.
        if (check === bindingNames && view.version === '1.0') continue;
        noteFaults(view, note, check, ({ code, disputed }) => !others.has(code) && disputed !== true);
      }
    },
  },
};
